import { spawn } from "node:child_process";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { commitAll, makeRepository } from "../../packages/knack/src/sources/testing/make-repository.ts";
import { environment, type Outcome, PROGRAM } from "../cli/run.ts";

/** A project, and a repository `src` with the skills `one` and `two`. */
export function makeSources(more: Parameters<typeof makeFolder>[0] = {}): Folder & { readonly url: string } {
  const folder = makeFolder({
    "repo/.git/": "",
    "home/": "",
    "src/skills/one/SKILL.md": skillText("one"),
    "src/skills/one/notes.md": "first\nsecond\n",
    "src/skills/two/SKILL.md": skillText("two"),
    ...more,
  });
  makeRepository(folder.at("src"));
  return Object.assign(folder, { url: `file://${folder.at("src")}` });
}

/** Changes files of the repository; answers the new commit. */
export function change(folder: Folder, files: Parameters<Folder["write"]>[0]): string {
  folder.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`src/${path}`, text])));
  return commitAll(folder.at("src"), "change");
}

/** The built program while servers of this process answer it. */
export async function startKnack(
  folder: Folder,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  folder.write({ "home/": "", "repo/": "" });
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder.at("repo"),
    env: { ...environment(folder), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** An entry of the text of a `skills.lock`. */
export function entryOf(lock: string, name: string): Record<string, string> {
  return JSON.parse(lock).skills[name] ?? {};
}

/** The text of a lock with other entries. */
export function changeEntries(
  lock: string,
  change: (skills: Record<string, Record<string, unknown>>) => void,
): string {
  const content = JSON.parse(lock);
  change(content.skills);
  return JSON.stringify(content, null, 2);
}
