/**
 * For the knack program alone, as `internal.ts`: what its commands about rules and switches use. A file of its own, so
 * that a command that only lists skills loads none of it.
 */
export { type ConfigPlace, configFiles } from "./config/load.ts";
export { type Actor, describeRule } from "./policy/permissions.ts";
export { type Obstacle, type PolicyState, policyState } from "./policy/policy-state.ts";
export { changePolicy } from "./policy/write-policy.ts";
