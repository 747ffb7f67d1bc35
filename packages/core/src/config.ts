/** Configuration, its places, the clients that Knack knows, and what is permitted. */

export { type CurrentConfig, LiveConfig } from "./catalog/settings.ts";
export { CLIENT_FOLDERS, CLIENT_IDS, type ClientId } from "./config/client-folders.ts";
export type { Widening } from "./config/config.ts";
export { type ConfigPlace, configFiles, knackHome, loadConfig } from "./config/load.ts";
export { findProject, homeFolder } from "./config/places.ts";
export { denies, describeRule, looksLikePath } from "./config/rules.ts";
export {
  changePolicy,
  type Obstacle,
  type PolicyState,
  policyState,
  undoCommand,
} from "./policy/change-policy.ts";
export { type IdleSetting, idleSettings } from "./policy/idle-settings.ts";
export { decide, type Policy, policyNow } from "./policy/permissions.ts";
export {
  type Approval,
  approvalsOf,
  isApproved,
  isTrusted,
  setTrusted,
  type TrustPlace,
  trustOf,
} from "./policy/trust.ts";
