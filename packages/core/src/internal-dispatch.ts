/**
 * For the knack program alone, as `internal.ts`: what its commands about routing and dispatch use. A file of its own, so
 * that a command that only lists skills loads none of it.
 */
export { ROLES, type Role } from "./context/role-guide.ts";
export { isRefusal } from "./dispatch/dispatcher.ts";
export { type OtherRoute, type RouteAnswer, route, routeToSkill } from "./dispatch/route.ts";
export { loadRouting, type Routing } from "./dispatch/routing-file.ts";
export { hasFailed } from "./dispatch/run-frame.ts";
export { findRunner } from "./dispatch/runner.ts";
