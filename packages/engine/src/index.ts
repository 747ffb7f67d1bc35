/** The public API of @knack/engine: what is exported here is the contract, everything else may change. */
export { openRecorded, readArtifact } from "./artifacts/verify-artifact.ts";
export {
  countEvents,
  type EventFilter,
  eventFacets,
  eventsAfter,
  exportLog,
  findEvents,
  type LoggedEvent,
  lastSeq,
  lastSeqBefore,
  listEvents,
  type UseEvent,
  useEventsAfter,
} from "./audit/events.ts";
export type { StoreVerification } from "./audit/verify-store.ts";
export { verifyLog } from "./audit/verify-store.ts";
export { diffTexts } from "./builtin/diff-artifact.ts";
export { collectGarbage, type Garbage, keepRecorded } from "./contents/collect-garbage.ts";
export type { Contents, Digest, StoredContent } from "./contents/contents.ts";
export { keepInput, materialise } from "./contents/keep-input.ts";
export { openContents } from "./contents/open-contents.ts";
export { engineTools } from "./engine-tools.ts";
export { isolationAdvice, isolationLevel } from "./isolate/limits.ts";
export { parseJsonStrict } from "./json/json.ts";
export { Engine, type EngineOptions, openEngine } from "./open-engine.ts";
export { planAsDot, planAsMermaid } from "./plan/draw-plan.ts";
export {
  needsAttention,
  type PlanStatus,
  type PlanView,
  planView,
  type TaskReport,
  taskNeeds,
  taskState,
} from "./plan/plan-report.ts";
export type { PlanStep } from "./plan/run-plan.ts";
export { type QueueEntry, type QueueReport, queuedOfPlan, type WorkerReport } from "./queue/list-queue.ts";
export type { Queued, QueueRequest, RunQueue } from "./queue/run-queue.ts";
export type { QueueWorker, WorkerEvent } from "./queue/work/queue-worker.ts";
export { isTag } from "./registry/entry.ts";
export { type ApprovalChange, approvalChanges, entryWords, shownValue } from "./run/approve.ts";
export { explainRun, keyHistory } from "./run/explain-run.ts";
export {
  type ConfirmationWanted,
  type ConfirmInput,
  confirmationText,
  isFileInput,
} from "./run/input-kinds.ts";
export { lineageOf } from "./run/lineage.ts";
export { followStart } from "./run/live-runs.ts";
export type { RequestFault, RunSkillRequest } from "./run/prepare-run.ts";
export { finishedReport, keptSentence, type RunReport, runReport } from "./run/run-report.ts";
export type {
  SkillContext,
  SkillFunction,
  SkillInput,
  SkillOutput,
  TypedSkill,
} from "./shared/typed-skill.ts";
export { EngineStore, stateFile } from "./state/engine-store.ts";
export { type MigratedStore, type MigrateProgress, migrateStore } from "./state/migrate-store.ts";
export {
  type AccessToken,
  addAccessToken,
  findAccessToken,
  listAccessTokens,
  ROLES,
  type Role,
  revokeAccessToken,
  revokeAllAccessTokens,
} from "./store/access/access-tokens.ts";
export { shownStore } from "./store/postgres/postgres-url.ts";
export { userName } from "./store/runs/claim.ts";
export {
  actorOf,
  type HistoryPlace,
  listRuns,
  runningRuns,
  servedAgain,
  type WorkCounts,
  workCounts,
} from "./store/runs/runs.ts";
export type { Store } from "./store/store.ts";
