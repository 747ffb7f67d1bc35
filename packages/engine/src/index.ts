/** The public API of @knack/engine: what is exported here is the contract, everything else may change. */
export { openRecorded, readArtifact } from "./artifacts/verify-artifact.ts";
export { exportLog } from "./audit/export.ts";
export { countEvents, type EventFilter, eventFacets, findEvents } from "./audit/find-events.ts";
export { openLog } from "./audit/open-log.ts";
export { eventsAfter, type LoggedEvent, lastSeq, listEvents } from "./audit/records.ts";
export { lastSeqBefore, type UseEvent, useEventsAfter } from "./audit/use-events.ts";
export { verifyLog } from "./audit/verify.ts";
export type { StoreVerification } from "./audit/verify-store.ts";
export { diffTexts } from "./builtin/compare/diff-texts.ts";
export { collectGarbage, type Garbage } from "./contents/collect-garbage.ts";
export type { Contents } from "./contents/contents.ts";
export { keepInput } from "./contents/keep-input.ts";
export { materialise } from "./contents/materialise.ts";
export { openContents } from "./contents/open-contents.ts";
export type { Digest, StoredContent } from "./contents/verified.ts";
export { engineTools } from "./engine-tools.ts";
export { isolationLevel } from "./isolate/level.ts";
export { parseJsonStrict } from "./json/parse-json-strict.ts";
export { Engine, type EngineOptions, openEngine } from "./open-engine.ts";
export { planAsDot, planAsMermaid } from "./plan/draw-plan.ts";
export type { ListedPlan } from "./plan/list-plans.ts";
export type { PlanStatus, TaskReport } from "./plan/plan-status.ts";
export type { PlanStep } from "./plan/run-plan.ts";
export { type PlanView, planView, type TaskView, type Wait } from "./plan/view/plan-view.ts";
export { type QueueEntry, type QueueReport, queuedOfPlan, type WorkerReport } from "./queue/list-queue.ts";
export type { Queued, QueueRequest, RunQueue } from "./queue/run-queue.ts";
export type { QueueWorker, WorkerEvent } from "./queue/work/queue-worker.ts";
export { type EntryWords, entryWords } from "./registry/entry/entry-words.ts";
export { isTag } from "./registry/entry/read-entry.ts";
export { type ApprovalChange, approvalChanges } from "./run/approve/approval-changes.ts";
export type { RequestFault } from "./run/check-request.ts";
export { type Explanation, explainRun } from "./run/explain-run.ts";
export { type KeyHistory, type KeyPart, keyHistory } from "./run/key-history.ts";
export { followStart } from "./run/live/started.ts";
export { finishedReport, keptSentence, type RunReport, runReport } from "./run/run-report.ts";
export type { RunSkillRequest } from "./run/skill-runs.ts";
export { EngineError, type EngineErrorCode } from "./shared/engine-error.ts";
export type { SkillContext, SkillFunction, SkillInput, SkillOutput } from "./shared/skill-function.ts";
export type { TypedSkill } from "./shared/typed-skill.ts";
export { EngineStore } from "./state/engine-store.ts";
export { type Imported, importState } from "./state/import-state.ts";
export { keepRecorded } from "./state/keep-recorded.ts";
export { type MigratedStore, type MigrateProgress, migrateStore } from "./state/migrate-store.ts";
export { followTrust } from "./state/state-moves.ts";
export {
  type AccessToken,
  addAccessToken,
  findAccessToken,
  listAccessTokens,
  ROLES,
  type Role,
  revokeAccessToken,
} from "./store/access/access-tokens.ts";
export { shownStore } from "./store/postgres/postgres-url.ts";
export { type ArtifactVersion, artifactVersions } from "./store/runs/artifact-versions.ts";
export { actorOf, type HistoryPlace, runningRuns, servedAgain } from "./store/runs/run-history.ts";
export { listRuns } from "./store/runs/runs.ts";
export type { Store } from "./store/store.ts";
export { StoreError } from "./store/store-error.ts";
export { type WorkCounts, workCounts } from "./store/work-counts.ts";
