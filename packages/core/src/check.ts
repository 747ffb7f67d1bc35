/** For authors of skills: read one, repair it, lint it, test its triggers. */

export {
  type Evaluation,
  evaluateTriggers,
  type FoundSkill,
  reportSkills,
  type SkillReport,
  type TriggerOutcome,
} from "./evals/evaluate.ts";
export { contentWords, type Proposals, proposeWords } from "./evals/propose-words.ts";
export {
  readTriggerCases,
  TRIGGER_FILES,
  type TriggerCase,
  type TriggerFault,
} from "./evals/trigger-cases.ts";
export type { Finding, LintSeverity } from "./lint/finding.ts";
export { lintSkills } from "./lint/lint-skills.ts";
export { fixText } from "./lint/quality.ts";
export { lintRule } from "./lint/rules.ts";
export { baselineText, isInBaseline, readBaseline, toSarif } from "./lint/sarif.ts";
export { trialSearch } from "./search/catalog-search.ts";
export { fixSkill } from "./skill/fix-skill.ts";
export { checkSkillText, parseSkill } from "./skill/parse.ts";
export { scaffoldText } from "./skill/scaffold.ts";
