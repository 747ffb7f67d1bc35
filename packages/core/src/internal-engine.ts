/**
 * For the engine alone, as `internal.ts`. A file of its own, because the YAML parser behind it would cost a command that
 * only lists skills more than the listing does.
 */
export { homeFolder } from "./config/home.ts";
export { knackHome } from "./config/load.ts";
export { nearest } from "./config/nearest.ts";
export { canonical, isInside } from "./config/project-root.ts";
export { hold } from "./context/hold.ts";
export type { Diagnostic } from "./diagnostics.ts";
export { systemCode } from "./errors.ts";
export { fewOf } from "./few-of.ts";
export { withLock, withLockBlocking } from "./own/lock.ts";
export {
  lookAtOwn,
  type OwnFile,
  openOwn,
  readOwn,
  realBase,
  refusalText,
  requireOwn,
} from "./own/own-file.ts";
export { isGone, ownProcess, type ProcessMark } from "./own/process-mark.ts";
export { writeError, writeFailure } from "./own/write-failure.ts";
export { LivePolicy, type Policy } from "./policy/live-policy.ts";
export { denies, describeRule, isSameIgnoringCase } from "./policy/permissions.ts";
export type { TrustPlace } from "./policy/trust.ts";
export { quote, shorten } from "./quote.ts";
export { type FileContent, type FileFault, readRegularFile } from "./regular-file.ts";
export { splitFrontmatter } from "./skill/frontmatter.ts";
export { parseYaml, type YamlDocument } from "./skill/yaml-profile.ts";
export type { YamlMap, YamlValue } from "./skill/yaml-value.ts";
export { findState, foreignNote, type StatePlace, userState } from "./state/find-state.ts";
export { forgetStore, type KnownStore, knownStore, rememberStore } from "./state/known-stores.ts";
export { makeOwnFolder, removeQuietly, syncFolder, writeDurably, writeWhole } from "./write-whole.ts";
