import { isGraver, type Remark } from "../finding.ts";
import type { LintSkill } from "../lint-skill-input.ts";
import { COMMAND_PATTERNS } from "./commands.ts";
import { INSTRUCTION_PATTERNS } from "./instructions.ts";
import { judge, type Pattern } from "./judge.ts";
import { OVERRIDE_PATTERNS } from "./override.ts";
import { WRITE_PATTERNS } from "./writes.ts";

const ALL: readonly Pattern[] = [
  ...COMMAND_PATTERNS,
  ...OVERRIDE_PATTERNS,
  ...INSTRUCTION_PATTERNS,
  ...WRITE_PATTERNS,
];

/** Every pattern on every passage of every text; of one rule the gravest remark of a passage. */
export function* checkPassages({ texts }: LintSkill): Generator<Remark> {
  for (const text of texts) {
    for (const passage of text.passages) {
      const found = new Map<string, Remark>();
      for (const pattern of ALL) {
        const remark = judge(text, passage, pattern);
        const before = remark && found.get(remark.rule);
        if (remark && (!before || isGraver(remark, before))) found.set(remark.rule, remark);
      }
      yield* found.values();
    }
  }
}
