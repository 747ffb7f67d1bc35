/** What an interface needs besides `createRuntime`: the project as it is now, dispatching, routing, texts. */

export { trustNotice } from "./access/find-skill.ts";
export { unverifiedError } from "./access/permit.ts";
export { inCutOrder, renderCatalogBlock, renderSkillList } from "./context/blocks/catalog-block.ts";
export { partOf } from "./context/blocks/parts.ts";
export {
  type ClientProcess,
  ConversationFile,
  conversationServedBy,
  forgetOldConversations,
} from "./context/conversation-file.ts";
export { isBinary } from "./context/files/contained-file.ts";
export { ROLES, type Role } from "./context/guides/role-guide.ts";
export { callsTool, loadSkill } from "./context/load-skill.ts";
export type { LoadedSkill } from "./context/loaded-skills.ts";
export { allOf, failureOf } from "./dispatch/dispatcher.ts";
export { isRefusal, refusalLine } from "./dispatch/guards.ts";
export { newRequestId } from "./dispatch/header.ts";
export { findRunner, listRunners } from "./dispatch/runner/runner.ts";
export { isAgentAround } from "./dispatch/running-frames.ts";
export { ProjectNow, type TypedSkillSource } from "./live/project-now.ts";
export { MAX_REQUEST } from "./routing/pattern.ts";
export { type OtherRoute, type RouteAnswer, routeToSkill } from "./routing/route.ts";
export { loadRouting, type Routing } from "./routing/routing-file.ts";
