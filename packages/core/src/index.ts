/**
 * The public API of @knack/core: what is exported here is the contract, everything else may change. The schemas behind
 * the types are in `@knack/core/schemas`, so that a program that does not check them does not load them.
 */

export type { SkillFile } from "./access/give-skill.ts";

export type {
  Confirm,
  Confirmation,
  Envelope,
  JsonSchema,
  Observe,
  Picture,
  Question,
  SessionEvent,
  Tool,
  ToolCall,
  ToolContext,
  ToolDescription,
  ToolResult,
} from "./access/tool.ts";

export type { GivenRoot, Root } from "./catalog/scan/roots.ts";
export { readSkill } from "./catalog/scan/skill-at.ts";
export type { Entry, Status } from "./catalog/snapshot.ts";
export type { Config } from "./config/config.ts";
export type { PermissionRule } from "./config/rules.ts";
export type { LoadedSkill, SessionState } from "./context/loaded-skills.ts";
export type { DispatchRequest } from "./dispatch/dispatch-request.ts";
export type { Dispatched, DispatchOptions } from "./dispatch/dispatcher.ts";
export type { Refusal } from "./dispatch/guards.ts";
export type { RuntimeHeader } from "./dispatch/header.ts";
export type { Runner, RunnerResult } from "./dispatch/runner/runner.ts";
export { type OpenSkillsOptions, openSkills, type SkillInCode } from "./embed/open-skills.ts";
export type {
  Conversation,
  ExecuteOptions,
  Input,
  SkillQuestion,
  Skills,
  SkillTool,
  SkillToolName,
} from "./embed/skills.ts";
export type { Dangling, Edge, EdgeReason, EdgeType, SkillEdges, SkillGraph } from "./graph/edge.ts";
export { edgesIn, skillGraph } from "./graph/load-graph.ts";
export { createRuntime } from "./live/create-runtime.ts";
export type { Runtime, RuntimeOptions, SessionOptions } from "./live/runtime.ts";
export type { CallOptions, Inspection, Reaction, Session } from "./live/session.ts";
export { type Catalog, type OpenCatalogOptions, openCatalog } from "./open-catalog.ts";
export type { Overlap, Overlaps } from "./overlap/overlap.ts";
export type { Actor } from "./policy/permissions.ts";
export type { Mention } from "./resolve/mentions.ts";
export type { Reference } from "./resolve/resolve.ts";
export type { SearchOptions } from "./search/catalog-search.ts";
export type { SearchReason, SearchResult, SearchResults } from "./search/search.ts";
export type { Validation } from "./shared/diagnostics.ts";
export { type ErrorCode, KnackError, type ToolErrorCode } from "./shared/errors.ts";
export type { DialectName } from "./skill/dialects.ts";
export type { SkillCatalog, SkillFacts, SkillLoadError, SkillMetadata, SkillScope } from "./skill/schema.ts";
export type { FullReading } from "./skill/skill-text.ts";
