/**
 * For the knack program alone, as `internal.ts`: what its commands about routing and dispatch use. A file of its own, so
 * that a command that only lists skills loads none of it.
 */
export { typedSkillNames } from "./catalog/typed-skill-names.ts";
export { ROLES, type Role } from "./context/role-guide.ts";
export { failureOf } from "./dispatch/failure.ts";
export { isRefusal } from "./dispatch/guards.ts";
export { MAX_REQUEST } from "./dispatch/pattern.ts";
export { allOf } from "./dispatch/prepare-dispatch.ts";
export { newRequestId } from "./dispatch/request-id.ts";
export { type OtherRoute, type RouteAnswer, route, routeToSkill } from "./dispatch/route.ts";
export { loadRouting, type Routing } from "./dispatch/routing-file.ts";
export { findRunner, listRunners } from "./dispatch/runner.ts";
