/**
 * The public API of @knack/core: what is exported here is the contract, everything else may change. The schemas behind
 * the types are in `@knack/core/schemas`, so that a program that does not check them does not load them.
 */
export { readSkill } from "./catalog/read-skill.ts";
export type { GivenRoot, Root } from "./catalog/roots.ts";
export type { Entry, Status } from "./catalog/snapshot.ts";
export type { WatchOptions } from "./catalog/watch.ts";
export type { Config, PermissionRule } from "./config/config.ts";
export type { LoadedSkill, SessionState } from "./context/loaded-skills.ts";
export { createRuntime } from "./create-runtime.ts";
export type { Validation } from "./diagnostics.ts";
export type { DispatchOptions, DispatchRequest } from "./dispatch/dispatch-skill.ts";
export type { Dangling, Edge, EdgeType, SkillEdges, SkillGraph } from "./dispatch/edge.ts";
export type { Refusal } from "./dispatch/guards.ts";
export type { RuntimeHeader } from "./dispatch/header.ts";
export { edgesIn, skillGraph } from "./dispatch/load-graph.ts";
export type { Dispatched } from "./dispatch/prepare-dispatch.ts";
export type { RunnerResult } from "./dispatch/run-frame.ts";
export type { Runner } from "./dispatch/runner.ts";
export { SkillError, type SkillErrorCode } from "./errors.ts";
export type { Mention } from "./find/mentions.ts";
export type { Overlap, Overlaps } from "./find/overlap.ts";
export type { Reference } from "./find/resolve.ts";
export type { SearchReason, SearchResult, SearchResults } from "./find/search.ts";
export { type Catalog, type OpenCatalogOptions, openCatalog, type SearchOptions } from "./open-catalog.ts";
export type { Actor } from "./policy/permissions.ts";
export {
  type Approval,
  approvalsOf,
  isApproved,
  isTrusted,
  setTrusted,
  type TrustPlace,
} from "./policy/trust.ts";
export type { Runtime, RuntimeOptions, SessionOptions } from "./runtime.ts";
export type { Inspection, Reaction, Session } from "./session.ts";
export type { DialectName } from "./skill/dialects.ts";
export type { SkillCatalog, SkillFacts, SkillLoadError, SkillMetadata, SkillScope } from "./skill/schema.ts";
export type { FullReading } from "./skill/skill-text.ts";
export { type Envelope, ToolError, type ToolErrorCode, type ToolResult } from "./tools/envelope.ts";
export type { CallOptions } from "./tools/make-context.ts";
export type { Observe, SessionEvent } from "./tools/observe.ts";
export type { Confirm, Confirmation, Question } from "./tools/permit.ts";
export type { SkillFile } from "./tools/read-skill-file.ts";
export type { JsonSchema, Tool, ToolContext, ToolDescription } from "./tools/tool.ts";
