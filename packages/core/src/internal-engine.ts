/**
 * Like `internal.ts`, for the engine and for what a server alone needs. A file of its own, because the YAML parser and zod
 * behind it would cost a command that only lists skills more than the listing does.
 */

export { LiveConfig } from "./catalog/settings.ts";
export { knackHome } from "./config/load.ts";
export { homeFolder } from "./config/places.ts";
export { escapeMessage, escapeWrapperTags, oneLine } from "./context/blocks/escape.ts";
export { hold } from "./context/files/hold.ts";
export { denies, describeRule, type Policy, policyNow } from "./policy/permissions.ts";
export type { TrustPlace } from "./policy/trust.ts";
export { typedNameOf } from "./resolve/resolve.ts";
export type { Diagnostic } from "./shared/diagnostics.ts";
export type { ErrorCode } from "./shared/errors.ts";
export { KnackError, systemCode } from "./shared/errors.ts";
export { withLock } from "./shared/lock.ts";
export { nearest } from "./shared/nearest.ts";
export {
  addGitignore,
  lookAtOwn,
  type OwnFile,
  openOwn,
  readOwn,
  realBase,
  refusalText,
  requireOwn,
} from "./shared/own-file.ts";
export { canonical, isInside } from "./shared/paths.ts";
export { findProgram, findSystemProgram, loadsForeignCode } from "./shared/process/find-program.ts";
export { isGone, ownProcess, type ProcessMark } from "./shared/process/process-mark.ts";
export {
  endGroup,
  endTree,
  listProcesses,
  type Mark,
  markedProcesses,
  type PidNamespace,
  type ProcessTree,
} from "./shared/process/process-tree.ts";
export { dotText, fewOf, mermaidText, quote, shorten } from "./shared/quote.ts";
export { type FileContent, type FileFault, readRegularFile } from "./shared/regular-file.ts";
export { count, isTraced, measure, span, traceEnvironment } from "./shared/telemetry.ts";
export {
  makeOwnFolder,
  removeQuietly,
  syncFolder,
  writeDurably,
  writeError,
  writeFailure,
  writeWhole,
} from "./shared/write-whole.ts";
export { splitFrontmatter } from "./skill/frontmatter.ts";
export { FenceReader } from "./skill/markdown-fences.ts";
export { refersTo } from "./skill/name.ts";
export { isMap, type YamlMap, type YamlValue } from "./skill/yaml/simple-yaml.ts";
export { parseYaml, parseYamlFile, type YamlDocument } from "./skill/yaml/yaml-profile.ts";
export { type YamlFault, type YamlPath, YamlReader, yamlPath } from "./skill/yaml/yaml-reader.ts";
export { envelopeSchema, jsonSchemaOf } from "./tools/parameters.ts";
export { skillFileSchema } from "./tools/skill-read-file.ts";
