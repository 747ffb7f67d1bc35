/** Helpers for tests of programs that embed Knack: real files in real folders, and the rules of a tool's answer. */
export { checkEnvelope } from "./envelope.ts";
export { type FileSpec, type Folder, makeFolder, skillText } from "./files.ts";
