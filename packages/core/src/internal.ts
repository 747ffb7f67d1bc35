/**
 * For Knack's own packages alone: pieces of the library that they share and that nobody else may rely on.
 */

export { trustNotice } from "./access/find-skill.ts";
export { unverifiedError } from "./access/permit.ts";
export { cacheFolder } from "./catalog/cache-folder.ts";
export { type ClientFolder, inHome } from "./catalog/clients/client-folders.ts";
export { stampOf } from "./catalog/file-stamp.ts";
export { type CurrentConfig, LiveConfig } from "./catalog/live-config.ts";
export { mayHoldSkills } from "./catalog/scan/list-folder.ts";
export { listClientFolders, type RootPlace } from "./catalog/scan/roots.ts";
export { typedSkillNames } from "./catalog/typed-skill-names.ts";
export { TreeWatch } from "./catalog/watch/tree-watch.ts";
export { CLIENT_FOLDERS, CLIENT_IDS, type ClientId } from "./config/client-folders.ts";
export { homeFolder } from "./config/home.ts";
export { type ConfigPlace, configFiles, knackHome, loadConfig } from "./config/load.ts";
export { findProject } from "./config/project-root.ts";
export { looksLikePath } from "./config/stated-path.ts";
export { renderCatalogBlock } from "./context/blocks/catalog-block.ts";
export { renderSkillList } from "./context/blocks/skill-list.ts";
export { partOf } from "./context/blocks/text-part.ts";
export { escapeWrapperTags } from "./context/blocks/wrapper-tags.ts";
export { estimateTokens } from "./context/estimate-tokens.ts";
export { readContained } from "./context/files/contained-file.ts";
export { type FileListing, listFiles } from "./context/files/list-files.ts";
export { ROLES, type Role } from "./context/guides/role-guide.ts";
export { isRefusal } from "./dispatch/guards.ts";
export { newRequestId } from "./dispatch/header.ts";
export { failureOf } from "./dispatch/outcome.ts";
export { allOf } from "./dispatch/prepare-dispatch.ts";
export { findRunner, listRunners } from "./dispatch/runner/runner.ts";
export { splitWords } from "./dispatch/runner/split-words.ts";
export { contentWords } from "./evals/content-words.ts";
export {
  type Evaluation,
  evaluateTriggers,
  type FoundSkill,
  type TriggerOutcome,
  type TriggerScore,
} from "./evals/evaluate.ts";
export { type Proposal, type Proposals, proposeWords } from "./evals/propose-words.ts";
export { reportSkills, type SkillReport } from "./evals/report-skills.ts";
export {
  readTriggerCases,
  TRIGGER_FILES,
  type TriggerCase,
  type TriggerFault,
} from "./evals/trigger-cases.ts";
export { drawGraph } from "./graph/load-graph.ts";
export { baselineText, isInBaseline, readBaseline } from "./lint/baseline.ts";
export type { Finding, LintSeverity } from "./lint/finding.ts";
export { fixText } from "./lint/fix-text.ts";
export { lintSkills } from "./lint/lint-skills.ts";
export { lintRule } from "./lint/rules/rules.ts";
export { toSarif } from "./lint/sarif.ts";
export { type LivePart, LiveProject } from "./live/live-project.ts";
export { checkLocked, checkNpxLocked } from "./lock/check-locked.ts";
export { compareDigest, type FileChange } from "./lock/compare-digest.ts";
export { type DigestFault, digestOf, digestSkill, type SkillDigest } from "./lock/digest-skill.ts";
export { keepTexts, keptText, textNow } from "./lock/kept-texts.ts";
export { readLock, updateLock, writeLock } from "./lock/lock-file.ts";
export { LockGate } from "./lock/lock-gate.ts";
export {
  folderOf,
  type LockPlace,
  type LockPlaces,
  lockFolder,
  lockOf,
  lockPlaces,
  projectLock,
  userLock,
} from "./lock/lock-place.ts";
export { type LockedSource, type LockReport, lockSkills, type SkillToLock } from "./lock/lock-skills.ts";
export { type NpxLocked, npxDigest, readNpxLock } from "./lock/npx-lock.ts";
export { pathFault as lockPathFault } from "./lock/path-fault.ts";
export { type LockedSkill, lockedAt, type SkillLock, withLocked, withoutLocked } from "./lock/skill-lock.ts";
export { type Obstacle, type PolicyState, policyState } from "./policy/edit/policy-state.ts";
export { changePolicy } from "./policy/edit/write-policy.ts";
export { type Actor, decide, describeRule } from "./policy/permissions.ts";
export { fullPath } from "./resolve/resolve.ts";
export { typedNameOf } from "./resolve/typed-name.ts";
export { MAX_REQUEST } from "./routing/pattern.ts";
export { type OtherRoute, type RouteAnswer, route, routeToSkill } from "./routing/route.ts";
export { loadRouting, type Routing } from "./routing/routing-file.ts";
export { trialSearch } from "./search/trial-search.ts";
export { compareText } from "./shared/compare-text.ts";
export { type Diagnostic, toDiagnostic } from "./shared/diagnostics.ts";
export { answerTo, codeOf, systemCode } from "./shared/errors.ts";
export { boundedMessage, fewCandidates, fewOf } from "./shared/few-of.ts";
export { isSameName, normalize } from "./shared/fold.ts";
export { addGitignore } from "./shared/own/gitignore.ts";
export { withLock, withLockHeld } from "./shared/own/lock.ts";
export { lookAtOwn, readOwn, realBase, refusalText, requireOwn } from "./shared/own/own-file.ts";
export { isGone, ownProcess, type ProcessMark } from "./shared/own/process-mark.ts";
export { writeError, writeFailure } from "./shared/own/write-failure.ts";
export { canonical, isInside } from "./shared/paths.ts";
export { findProgram, isProgram } from "./shared/process/find-program.ts";
export { quote, shorten } from "./shared/quote.ts";
export { kindOf, readRegularFile } from "./shared/regular-file.ts";
export {
  type Attributes,
  type Counter,
  count,
  type Duration,
  endTelemetry,
  installMetering,
  installTracing,
  isObserved,
  isTraced,
  type Metering,
  measure,
  type Span,
  type SpanOptions,
  span,
  type TraceHeaders,
  type Tracing,
} from "./shared/telemetry.ts";
export { removeQuietly, syncFolder, writeDurably, writeWhole } from "./shared/write-whole.ts";
export { checkSkillText } from "./skill/check-text.ts";
export { type FixedSkill, fixSkill } from "./skill/fix/fix-skill.ts";
export { isValidName } from "./skill/name.ts";
export { parseSkill } from "./skill/parse.ts";
export { type Named, refersTo } from "./skill/refers-to.ts";
export { findState, foreignNote, type StatePlace } from "./state/find-state.ts";
