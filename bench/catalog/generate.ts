import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_FOLDERS } from "@knack/core/config";

/** Writes `count` skills of about 2 KB, like short real ones: a folder each, with name, description and some prose. */
export function generateSkills(root: string, count: number, from = 0): void {
  for (let i = from; i < from + count; i++) {
    const name = `skill-${String(i).padStart(6, "0")}`;
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    const description = `Handles case ${i} of the generated catalog. Use when the user asks for work item ${i}.`;
    const body =
      "Read the request, find the part that it is about, and say what you will do before you do it. ".repeat(
        20,
      );
    writeFileSync(
      join(folder, "SKILL.md"),
      `---\nname: ${name}\ndescription: ${description}\n---\n# Work item ${i}\n\n${body}\n`,
    );
  }
}

/** Writes `count` skills into the folders that Knack and other agents have in a home and in a project below it. */
export function generateHome(home: string, count: number): void {
  const rows = Object.values(CLIENT_FOLDERS);
  const folders = [
    ...[".agents/skills", ...rows.flatMap(({ user }) => user)],
    ...[".agents/skills", ...rows.flatMap(({ project }) => project)].map((path) => join("project", path)),
  ];
  mkdirSync(join(home, "project", ".git"), { recursive: true });
  folders.forEach((folder, i) => {
    const from = Math.floor((count * i) / folders.length);
    const to = Math.floor((count * (i + 1)) / folders.length);
    generateSkills(join(home, folder), to - from, from);
  });
}
