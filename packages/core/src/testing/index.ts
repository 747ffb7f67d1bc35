/** Helpers for tests of programs that embed Knack: real files in real folders. */
export { type FileSpec, type Folder, makeFolder, skillText } from "./files.ts";
