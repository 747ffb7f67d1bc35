import { TRIGGER_FILES } from "../../evals/trigger-cases.ts";
import { quote } from "../../shared/quote.ts";
import type { Remark } from "../finding.ts";
import type { LintSkill } from "../lint-skill-input.ts";

/** Names that say nothing about what a skill does. */
const EMPTY =
  /^(?:(?:my|new|test|example|sample|demo|misc|general|common|basic|simple|the|a)-?)*(?:skills?|helpers?|utils?|utilities|tools?|stuff|assistant|agent|misc|test|example|untitled|foo)\d*$/;
const REPEATED = /(?:^|-)skills?$/;

export function* checkName({ reading: { name } }: LintSkill): Generator<Remark> {
  const at = { file: "SKILL.md", severity: "note", rule: "name-style" } as const;
  if (EMPTY.test(name))
    yield {
      ...at,
      severity: "warning",
      message: `The name ${quote(name)} does not say what the skill does.`,
    };
  else if (REPEATED.test(name))
    yield { ...at, message: `The name ${quote(name)} repeats that it is a skill.` };
  else if (name.length > 40)
    yield { ...at, message: `The name has ${name.length} characters; short names are typed and remembered.` };
}

export function* checkTriggerTests({ files }: LintSkill): Generator<Remark> {
  if (TRIGGER_FILES.some((file) => files.has(file))) return;
  yield {
    rule: "trigger-tests-missing",
    severity: "note",
    file: "SKILL.md",
    message: "The skill has no trigger tests.",
  };
}
