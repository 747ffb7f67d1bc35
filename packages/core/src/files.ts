/** Files and folders: paths, bounded reads, whole writes, folders of the user alone, what is inside a skill's folder, locks between processes. */

export { TreeWatch } from "./catalog/watch.ts";
export { readContained } from "./context/files/contained-file.ts";
export { hold } from "./context/files/hold.ts";
export { type FileListing, listFiles } from "./context/files/list-files.ts";
export { systemCode, tryOr } from "./shared/errors.ts";
export { StampCache, stampOf } from "./shared/file-stamp.ts";
export { withLock } from "./shared/lock.ts";
export { addGitignore, lookAtOwn, readOwn, realBase, refusalText } from "./shared/own-file.ts";
export { canonical, isInside } from "./shared/paths.ts";
export { type FileContent, type FileFault, kindOf, namesIn, readRegularFile } from "./shared/regular-file.ts";
export { loadWhole, saveParts } from "./shared/stored/parts-file.ts";
export {
  makeOwnFolder,
  removeQuietly,
  syncFolder,
  writeDurably,
  writeError,
  writeFailure,
  writeWhole,
} from "./shared/write-whole.ts";
