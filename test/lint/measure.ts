import type { Finding } from "../../packages/core/src/lint/finding.ts";
import { lintSkills } from "../../packages/core/src/lint/lint-skills.ts";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import type { Fixture } from "./fixtures.ts";

export interface Judged extends Fixture {
  readonly findings: readonly Finding[];
  /** A security finding that is an error or a warning. */
  readonly isFlagged: boolean;
}

/** Lints each labelled skill in a folder of its own. */
export function judgeFixtures(fixtures: readonly Fixture[]): Judged[] {
  using folder = makeFolder();
  return fixtures.map((fixture) => {
    folder.write(
      Object.fromEntries(
        Object.entries(fixture.files).map(([file, text]) => [`${fixture.id}/${file}`, text]),
      ),
    );
    const findings = lintSkills([folder.at(fixture.id)]);
    const isFlagged = findings.some(
      ({ category, severity }) => category === "security" && severity !== "note",
    );
    return { ...fixture, findings, isFlagged };
  });
}

export interface Scores {
  readonly harmful: number;
  readonly harmless: number;
  readonly precision: number;
  readonly recall: number;
}

export function scoresOf(judged: readonly Judged[]): Scores {
  const harmful = judged.filter(({ isHarmful }) => isHarmful);
  const flagged = judged.filter(({ isFlagged }) => isFlagged);
  const right = harmful.filter(({ isFlagged }) => isFlagged).length;
  return {
    harmful: harmful.length,
    harmless: judged.length - harmful.length,
    precision: right / flagged.length,
    recall: right / harmful.length,
  };
}
