/**
 * For Knack's own packages alone: pieces of the library that they share and that nobody else may rely on.
 */
export { cacheFolder } from "./catalog/cache-folder.ts";
export { homeFolder } from "./config/home.ts";
export { knackHome, loadConfig } from "./config/load.ts";
export { canonical, findProject, isInside } from "./config/project-root.ts";
export { renderCatalogBlock } from "./context/catalog-block.ts";
export { readContained } from "./context/contained-file.ts";
export { type FileListing, listFiles } from "./context/files.ts";
export { type Diagnostic, toDiagnostic } from "./diagnostics.ts";
export { drawGraph } from "./dispatch/load-graph.ts";
export { systemCode } from "./errors.ts";
export { type Evaluation, evaluateTriggers, scoreOutcomes, type TriggerScore } from "./find/evaluate.ts";
export {
  readTriggerCases,
  TRIGGER_FILES,
  type TriggerCase,
  type TriggerFault,
} from "./find/trigger-cases.ts";
export { withLockBlocking } from "./own/lock.ts";
export { lookAtOwn, readOwn, refusalText, requireOwn } from "./own/own-file.ts";
export { writeError, writeFailure } from "./own/write-failure.ts";
export { readRegularFile } from "./regular-file.ts";
export { checkSkillText } from "./skill/check-text.ts";
export { isValidName } from "./skill/name.ts";
export { findState, foreignNote, type StatePlace } from "./state/find-state.ts";
export { trustNotice } from "./tools/find-skill.ts";
export { syncFolder, writeDurably, writeWhole } from "./write-whole.ts";
