import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes `count` skills of about 2 KB, like short real ones: a folder each, with name, description and some prose. */
export function generateSkills(root: string, count: number): void {
  for (let i = 0; i < count; i++) {
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
