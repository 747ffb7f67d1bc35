/** Text for people and models: quoted, shortened, compared, escaped; errors and diagnostics with their codes. */

export { estimateTokens } from "./context/blocks/catalog-block.ts";
export { escapeMessage, escapeWrapperTags, lineForModel, oneLine } from "./context/blocks/escape.ts";
export { type Diagnostic, toDiagnostic } from "./shared/diagnostics.ts";
export {
  answerTo,
  codeOf,
  type ErrorCode,
  isStoreError,
  KnackError,
  type StoreErrorCode,
} from "./shared/errors.ts";
export { compareText, fold, isSameName, normalize } from "./shared/fold.ts";
export { isRecord, parseJson } from "./shared/json.ts";
export { nearest } from "./shared/nearest.ts";
export {
  boundedMessage,
  decodeUri,
  dotText,
  fewCandidates,
  fewOf,
  mermaidText,
  pluralize,
  quote,
  shorten,
  thousands,
} from "./shared/quote.ts";
export { closingRuns, MarkdownLines } from "./skill/markdown.ts";
