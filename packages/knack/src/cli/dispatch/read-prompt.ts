import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { SkillError } from "@knack/core";

const MAX_BYTES = 4 * 1024 * 1024;
const STDIN = 0;

/** A task from a file, a pipe or standard input (`-`): text, and no more of it than a model could read. */
export function readPromptFile(given: string, cwd: string): string {
  const name = given === "-" ? "standard input" : given;
  const bytes = readBounded(given === "-" ? STDIN : resolve(cwd, given), name);
  if (bytes.length > MAX_BYTES)
    throw new SkillError("INVALID_PARAM", `--prompt-file: ${name} has more than ${MAX_BYTES} bytes.`);
  try {
    if (!bytes.includes(0)) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new SkillError("INVALID_PARAM", `--prompt-file: ${name} is not UTF-8 text.`);
}

/** One byte more than allowed shows that there is more. */
function readBounded(file: number | string, name: string): Buffer {
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  try {
    const fd = typeof file === "number" ? file : openSync(file, "r");
    try {
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSome(fd, bytes.subarray(length));
    } finally {
      if (fd !== STDIN) closeSync(fd);
    }
  } catch (error) {
    const code = codeOf(error);
    const missing = code === "ENOENT" || code === "ENOTDIR";
    const why = code === "EISDIR" ? "is a folder" : missing ? "does not exist" : `cannot be read (${code})`;
    throw new SkillError(missing ? "NOT_FOUND" : "INVALID_PARAM", `--prompt-file: ${name} ${why}.`);
  }
  return bytes.subarray(0, length);
}

/** Waits where a terminal or a pipe has nothing yet. */
function readSome(fd: number, into: Buffer): number {
  for (;;) {
    try {
      return readSync(fd, into);
    } catch (error) {
      const code = codeOf(error);
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
