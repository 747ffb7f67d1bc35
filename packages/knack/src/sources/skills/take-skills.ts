import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "@knack/core";
import { fewOf, systemCode, writeError } from "@knack/core/internal";
import { LIMITS } from "../limits.ts";
import type { Entry, Fetched } from "../source-tree.ts";
import { tooLarge } from "../write-files.ts";
import type { OfferedSkill } from "./read-skills.ts";

/** Writes the files of skills into folders of their names in `folder`, which is new. */
export async function takeSkills(
  { tree }: Fetched,
  skills: readonly OfferedSkill[],
  folder: string,
): Promise<ReadonlyMap<OfferedSkill, string>> {
  refuse(skills);
  const places = new Map<OfferedSkill, string>();
  const files = new Map<Entry, string[]>();
  try {
    for (const skill of skills) {
      const place = join(folder, skill.name);
      mkdirSync(place, { recursive: true, mode: 0o755 });
      places.set(skill, place);
      for (const [path, entry] of skill.files) {
        const file = join(place, ...path.split("/"));
        mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
        files.set(entry, [...(files.get(entry) ?? []), file]);
      }
    }
  } catch (error) {
    throw writeError(folder, systemCode(error));
  }
  await tree.write(files);
  return places;
}

function refuse(skills: readonly OfferedSkill[]): void {
  const [bad] = skills.filter(({ faults }) => faults.length > 0);
  if (bad) {
    const reasons = fewOf(
      bad.faults.map((fault) => `- ${fault}`),
      { separator: "\n" },
    );
    throw new SkillError("CONFLICT", `The skill ${bad.name} is refused; nothing was changed.\n${reasons}`);
  }
  const files = skills.reduce((sum, skill) => sum + skill.files.size, 0);
  const bytes = skills.reduce((sum, skill) => sum + skill.bytes, 0);
  if (files > LIMITS.files)
    throw new SkillError(
      "CONFLICT",
      `The skills have ${files} files, more than ${LIMITS.files}. Choose fewer with --skill.`,
    );
  if (bytes > LIMITS.totalBytes)
    throw tooLarge("The skills have", LIMITS.totalBytes, "Choose fewer with --skill.");
}
