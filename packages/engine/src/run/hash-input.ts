import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { shorten, systemCode } from "@knack/core/internal/engine";
import { hashSmall } from "../artifacts/hash-file.ts";
import { EngineError } from "../engine-error.ts";

/** A file as it was when it was read, once, from its beginning to its end. */
export interface HashedFile {
  readonly sha256: string;
  readonly size: number;
  readonly stats: Stats;
}

/** Large enough that hashing and not the calls take the time. */
const CHUNK = 1024 * 1024;

/**
 * The digest of a regular file, in constant memory; with `into`, the very bytes that were hashed are copied there. A pipe
 * never blocks and a device never floods.
 */
export async function hashFile(path: string, signal?: AbortSignal, into?: string): Promise<HashedFile> {
  const small = into === undefined ? hashAtOnce(path) : undefined;
  if (small) return small;
  await using source = await open(path, FLAGS).catch((error: unknown) => refuse(path, error));
  await using target = into === undefined ? undefined : await open(into, "wx", 0o600);
  const hash = createHash("sha256");
  const stats = await source.stat();
  if (!stats.isFile()) throw new EngineError("INVALID_PARAM", `${shorten(path)} is not a file; name a file.`);
  const buffers = [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)] as const;
  let size = 0;
  // The next piece is read while this one is hashed.
  let reading = source.read(buffers[0], 0, CHUNK, 0);
  for (let turn = 0; ; turn ^= 1) {
    signal?.throwIfAborted();
    const { bytesRead, buffer } = await reading.catch((error: unknown) => {
      throw new EngineError("EXECUTION_ERROR", `${shorten(path)} cannot be read (${systemCode(error)}).`);
    });
    if (bytesRead === 0) break;
    const piece = buffer.subarray(0, bytesRead);
    size += bytesRead;
    reading = source.read(buffers[turn ^ 1] ?? buffers[0], 0, CHUNK, size);
    hash.update(piece);
    await target?.writeFile(piece);
  }
  return { sha256: hash.digest("hex"), size, stats };
}

function hashAtOnce(path: string): HashedFile | undefined {
  let source: number;
  try {
    source = openSync(path, FLAGS);
  } catch (error) {
    refuse(path, error);
  }
  try {
    const stats = fstatSync(source);
    const small = stats.isFile() ? hashSmall(source, stats.size) : undefined;
    return small && { ...small, stats };
  } finally {
    closeSync(source);
  }
}

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

function refuse(path: string, error: unknown): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ERR_INVALID_ARG_VALUE")
    throw new EngineError("NOT_FOUND", `There is no file ${shorten(path)}; check the path.`);
  if (code === "EACCES" || code === "EPERM")
    throw new EngineError(
      "PERMISSION_DENIED",
      `The operating system does not let ${shorten(path)} be read (${code}); whoever owns it can give the right to.`,
    );
  if (code === "") throw error;
  throw new EngineError("EXECUTION_ERROR", `${shorten(path)} cannot be read (${code}).`);
}

/** Whether a file is still the one that was hashed. */
export function isUnchanged(before: Stats, now: Stats): boolean {
  return (["dev", "ino", "size", "mtimeMs", "ctimeMs"] as const).every((key) => before[key] === now[key]);
}
