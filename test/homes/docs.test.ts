import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CLIENT_FOLDERS } from "../../packages/core/src/config/client-folders.ts";

const PAGE = join(import.meta.dirname, "../../docs/skills.md");
/** Cells of the table under "Where Knack looks", by client. */
const CELLS = new Map(
  (readFileSync(PAGE, "utf8").split("### Where Knack looks")[1]?.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, client = "", project = "", user = ""]) => [
      /`(.*?)`/.exec(client)?.[1],
      { client, project, user },
    ]),
);
const folders = (cell = ""): string[] => [...cell.matchAll(/`(.*?)`/g)].map(([, path = ""]) => path);

it("docs/skills.md has the clients in the order of the table", () => {
  expect([...CELLS.keys()]).toEqual(Object.keys(CLIENT_FOLDERS));
});

it.each(Object.entries(CLIENT_FOLDERS))(
  "docs/skills.md has the folders of %s",
  (id, { title, project, user }) => {
    const cells = CELLS.get(id);
    expect(cells?.client).toBe(`\`${id}\` ${title}`);
    expect(folders(cells?.project)).toEqual(project);
    expect(folders(cells?.user)).toEqual(user.map((path) => `~/${path}`));
  },
);
