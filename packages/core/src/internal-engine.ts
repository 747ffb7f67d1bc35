/**
 * Like `internal.ts`, for the engine and for what a server alone needs. A file of its own, because the YAML parser and zod
 * behind it would cost a command that only lists skills more than the listing does.
 */

export { LiveConfig } from "./catalog/live-config.ts";
export { homeFolder } from "./config/home.ts";
export { knackHome } from "./config/load.ts";
export { escapeMessage, oneLine } from "./context/blocks/escape.ts";
export { escapeWrapperTags } from "./context/blocks/wrapper-tags.ts";
export { hold } from "./context/files/hold.ts";
export { denies, describeRule } from "./policy/permissions.ts";
export { type Policy, policyNow } from "./policy/policy-now.ts";
export type { TrustPlace } from "./policy/trust.ts";
export { typedNameOf } from "./resolve/typed-name.ts";
export type { Diagnostic } from "./shared/diagnostics.ts";
export type { ErrorCode } from "./shared/error-codes.ts";
export { KnackError, systemCode } from "./shared/errors.ts";
export { fewOf } from "./shared/few-of.ts";
export { dotText, mermaidText } from "./shared/graph-text.ts";
export { nearest } from "./shared/nearest.ts";
export { addGitignore } from "./shared/own/gitignore.ts";
export { withLock } from "./shared/own/lock.ts";
export {
  lookAtOwn,
  type OwnFile,
  openOwn,
  readOwn,
  realBase,
  refusalText,
  requireOwn,
} from "./shared/own/own-file.ts";
export { isGone, ownProcess, type ProcessMark } from "./shared/own/process-mark.ts";
export { writeError, writeFailure } from "./shared/own/write-failure.ts";
export { canonical, isInside } from "./shared/paths.ts";
export { findProgram, findSystemProgram } from "./shared/process/find-program.ts";
export { loadsForeignCode } from "./shared/process/loader-variables.ts";
export {
  endGroup,
  endTree,
  listProcesses,
  type Mark,
  markedProcesses,
  type PidNamespace,
  type ProcessTree,
} from "./shared/process/process-tree.ts";
export { quote, shorten } from "./shared/quote.ts";
export { type FileContent, type FileFault, readRegularFile } from "./shared/regular-file.ts";
export { count, isTraced, measure, span, traceEnvironment } from "./shared/telemetry.ts";
export { makeOwnFolder, removeQuietly, syncFolder, writeDurably, writeWhole } from "./shared/write-whole.ts";
export { splitFrontmatter } from "./skill/frontmatter.ts";
export { FenceReader } from "./skill/markdown-fences.ts";
export { refersTo } from "./skill/refers-to.ts";
export { parseYaml, parseYamlFile, type YamlDocument } from "./skill/yaml/yaml-profile.ts";
export { type YamlFault, type YamlPath, YamlReader, yamlPath } from "./skill/yaml/yaml-reader.ts";
export { isMap, type YamlMap, type YamlValue } from "./skill/yaml/yaml-value.ts";
export { findState, foreignNote, type StatePlace, userState } from "./state/find-state.ts";
export { forgetStore, type KnownStore, knownStore, rememberStore } from "./state/known-stores.ts";
export { envelopeSchema } from "./tools/envelope-schema.ts";
export { jsonSchemaOf } from "./tools/json-schema.ts";
export { skillFileSchema } from "./tools/skill-read-file.ts";
