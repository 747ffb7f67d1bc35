import { type LintRule, rulesOf } from "./rule.ts";

const rule = rulesOf("quality");

export const QUALITY_RULES: readonly LintRule[] = [
  rule(
    "description-when",
    "warning",
    "A description that does not say when to use the skill.",
    "The description is all that a model sees before it chooses.",
    "Add a sentence such as “Use when the user asks for release notes”.",
  ),
  rule(
    "description-length",
    "warning",
    "A description under 40 characters (15 in Chinese and Japanese), or over 1,024.",
    "A short one matches nothing, a long one costs every conversation.",
    "Say what the skill does and when to use it, in one to three sentences.",
  ),
  rule(
    "token-cost",
    "warning",
    "A SKILL.md of more than about 5,000 tokens, or 500 lines (a note).",
    "It is loaded as a whole each time.",
    "Move details to `references/` and link to them.",
  ),
  rule(
    "overlap",
    "warning",
    "Two skills of this run whose descriptions claim the same requests.",
    "An agent may take one for the other.",
    "Say in each description when to use the other one.",
  ),
  rule(
    "missing-file",
    "warning",
    "A link or a path to a file that is not in the skill's folder.",
    "The model looks for it, and fails or invents it.",
    "Add the file, or correct the path.",
  ),
  rule(
    "unlabelled-commands",
    "note",
    "A code fence with commands and no language.",
    "The language tells a model, an editor and this lint that it can be run.",
    "Write ```bash; `--fix` does.",
    true,
  ),
  rule(
    "name-style",
    "note",
    "A name that says nothing (a warning), repeats the word skill, or is longer than 40 characters.",
    "People and models choose by the name.",
    "Name the skill after what it does, such as `release-notes`.",
  ),
  rule(
    "trigger-tests-missing",
    "note",
    "A skill without trigger tests.",
    "Without them nobody notices when requests stop finding the skill.",
    "Write prompts into `evals/trigger-eval.json` and run `knack eval`.",
  ),
  rule(
    "bad-suppression",
    "warning",
    "A suppression without a reason, for an unknown rule, or for a security rule.",
    "The next reader must know why. Security findings cannot be suppressed in the file that they are about.",
    "Write `<!-- knack-lint-disable rule: reason -->`. For security findings use a baseline.",
  ),
  rule(
    "unused-suppression",
    "note",
    "A suppression that suppresses nothing.",
    "It would hide the next finding.",
    "Remove it; `--fix` does.",
    true,
  ),
];
