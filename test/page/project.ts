import { cpSync } from "node:fs";
import { join } from "node:path";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";

/** A project with the repository's own skills, some of the user's, and one that was left out. */
export function pageProject(): Folder {
  const folder = makeFolder({ "repo/.git/": "", "home/": "" });
  cpSync(join(import.meta.dirname, "../../skills"), folder.at("repo/.agents/skills"), { recursive: true });
  cpSync(join(import.meta.dirname, "../../.agents/skills"), folder.at("home/.agents/skills"), {
    recursive: true,
  });
  return folder;
}
