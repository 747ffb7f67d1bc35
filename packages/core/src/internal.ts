/**
 * For Knack's own packages alone: pieces of the library that they share and that nobody else may rely on.
 */

export { trustNotice } from "./access/find-skill.ts";
export { unverifiedError } from "./access/permit.ts";
export { type ClientFolder, inHome } from "./catalog/clients.ts";
export { listClientFolders, type RootPlace } from "./catalog/scan/roots.ts";
export { mayHoldSkills } from "./catalog/scan/walk.ts";
export { type CurrentConfig, LiveConfig } from "./catalog/settings.ts";
export { cacheFolder } from "./catalog/tree.ts";
export { typedSkillNames } from "./catalog/typed-skill-names.ts";
export { TreeWatch } from "./catalog/watch/tree-watch.ts";
export { CLIENT_FOLDERS, CLIENT_IDS, type ClientId } from "./config/client-folders.ts";
export { type ConfigPlace, configFiles, knackHome, loadConfig } from "./config/load.ts";
export { findProject, homeFolder } from "./config/places.ts";
export { looksLikePath } from "./config/rules.ts";
export { estimateTokens, renderCatalogBlock, renderSkillList } from "./context/blocks/catalog-block.ts";
export { escapeWrapperTags } from "./context/blocks/escape.ts";
export { partOf } from "./context/blocks/parts.ts";
export { readContained } from "./context/files/contained-file.ts";
export { type FileListing, listFiles } from "./context/files/list-files.ts";
export { ROLES, type Role } from "./context/guides/role-guide.ts";
export { allOf, failureOf } from "./dispatch/dispatcher.ts";
export { isRefusal } from "./dispatch/guards.ts";
export { newRequestId } from "./dispatch/header.ts";
export { findRunner, listRunners, splitWords } from "./dispatch/runner/runner.ts";
export {
  type Evaluation,
  evaluateTriggers,
  type FoundSkill,
  reportSkills,
  type SkillReport,
  type TriggerOutcome,
  type TriggerScore,
} from "./evals/evaluate.ts";
export { contentWords, type Proposal, type Proposals, proposeWords } from "./evals/propose-words.ts";
export {
  readTriggerCases,
  TRIGGER_FILES,
  type TriggerCase,
  type TriggerFault,
} from "./evals/trigger-cases.ts";
export { drawGraph } from "./graph/load-graph.ts";
export type { Finding, LintSeverity } from "./lint/finding.ts";
export { lintSkills } from "./lint/lint-skills.ts";
export { fixText } from "./lint/quality.ts";
export { lintRule } from "./lint/rules.ts";
export { baselineText, isInBaseline, readBaseline, toSarif } from "./lint/sarif.ts";
export { ProjectNow, type TypedSkillSource } from "./live/project-now.ts";
export {
  compareDigest,
  type DigestFault,
  digestOf,
  digestSkill,
  type FileChange,
  pathFault as lockPathFault,
  type SkillDigest,
} from "./lock/digest-skill.ts";
export { readLock, updateLock, writeLock } from "./lock/lock-file.ts";
export { checkLocked, checkNpxLocked, LockGate } from "./lock/lock-gate.ts";
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
export {
  keepTexts,
  keptText,
  type LockedSource,
  type LockReport,
  lockSkills,
  type SkillToLock,
  textNow,
} from "./lock/lock-skills.ts";
export { type NpxLocked, npxDigest, readNpxLock } from "./lock/npx-lock.ts";
export { type LockedSkill, lockedAt, type SkillLock, withLocked, withoutLocked } from "./lock/skill-lock.ts";
export { changePolicy, type Obstacle, type PolicyState, policyState } from "./policy/change-policy.ts";
export { type Actor, decide, describeRule } from "./policy/permissions.ts";
export { fullPath, typedNameOf } from "./resolve/resolve.ts";
export { MAX_REQUEST } from "./routing/pattern.ts";
export { type OtherRoute, type RouteAnswer, route, routeToSkill } from "./routing/route.ts";
export { loadRouting, type Routing } from "./routing/routing-file.ts";
export { trialSearch } from "./search/catalog-search.ts";
export { type Diagnostic, toDiagnostic } from "./shared/diagnostics.ts";
export { answerTo, codeOf, systemCode } from "./shared/errors.ts";
export { stampOf } from "./shared/file-stamp.ts";
export { compareText, isSameName, normalize } from "./shared/fold.ts";
export { withLock } from "./shared/lock.ts";
export { addGitignore, lookAtOwn, readOwn, realBase, refusalText, requireOwn } from "./shared/own-file.ts";
export { canonical, isInside } from "./shared/paths.ts";
export { findProgram, isProgram } from "./shared/process/find-program.ts";
export { isGone, ownProcess, type ProcessMark } from "./shared/process/process-mark.ts";
export { boundedMessage, fewCandidates, fewOf, quote, shorten } from "./shared/quote.ts";
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
export {
  removeQuietly,
  syncFolder,
  writeDurably,
  writeError,
  writeFailure,
  writeWhole,
} from "./shared/write-whole.ts";
export { type FixedSkill, fixSkill } from "./skill/fix-skill.ts";
export { isValidName, type Named, refersTo } from "./skill/name.ts";
export { parseSkill } from "./skill/parse.ts";
export { checkSkillText } from "./skill/skill-text.ts";
