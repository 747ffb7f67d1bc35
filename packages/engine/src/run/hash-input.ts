import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, read, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { canonical, isInside, systemCode } from "@knack/core/files";
import { KnackError, shorten } from "@knack/core/text";
import { hashSmall } from "../artifacts/hash-file.ts";

import { NOT_A_FILE, openInProject } from "../shared/in-project.ts";

/** A file as it was when it was read, once, from its beginning to its end. */
export interface HashedFile {
  readonly sha256: string;
  readonly size: number;
  readonly stats: Stats;
}

/** A folder that a file must really be in, whatever is linked to where, and what is said where it is not. */
export interface Containment {
  readonly root: string;
  readonly refusal: string;
  /** A folder in it whose files may not be read all the same. */
  readonly hidden?: string | undefined;
}

interface HashOptions {
  readonly signal?: AbortSignal | undefined;
  /** Where the very bytes that were hashed are copied to. */
  readonly into?: string | undefined;
  readonly within?: Containment | null | undefined;
}

/** Large enough that hashing and not the calls take the time. */
const CHUNK = 1024 * 1024;
const readAsync = promisify(read);

/** The digest of a regular file, in constant memory, by one descriptor. Pipes and devices are refused without blocking. */
export async function hashInput(path: string, options: HashOptions = {}): Promise<HashedFile> {
  const { signal, into, within = null } = options;
  const source = openSource(path, within);
  try {
    const stats = fstatSync(source);
    if (!stats.isFile())
      throw new KnackError("INVALID_PARAM", `${shorten(path)} is not a file; name a file.`);
    const small = into === undefined ? hashSmall(source, stats.size) : undefined;
    return { ...(small ?? (await hashInPieces(source, path, signal, into))), stats };
  } finally {
    closeSync(source);
  }
}

async function hashInPieces(
  source: number,
  path: string,
  signal: AbortSignal | undefined,
  into: string | undefined,
): Promise<Omit<HashedFile, "stats">> {
  await using target = into === undefined ? undefined : await open(into, "wx", 0o600);
  const hash = createHash("sha256");
  const buffers = [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)] as const;
  let size = 0;
  // The next piece is read while this one is hashed.
  let reading = readAsync(source, buffers[0], 0, CHUNK, 0);
  try {
    for (let turn = 0; ; turn ^= 1) {
      signal?.throwIfAborted();
      const { bytesRead, buffer } = await reading.catch((error: unknown) => {
        throw new KnackError("EXECUTION_ERROR", `${shorten(path)} cannot be read (${systemCode(error)}).`);
      });
      if (bytesRead === 0) return { sha256: hash.digest("hex"), size };
      const piece = buffer.subarray(0, bytesRead);
      size += bytesRead;
      reading = readAsync(source, buffers[turn ^ 1] ?? buffers[0], 0, CHUNK, size);
      hash.update(piece);
      await target?.writeFile(piece);
    }
  } finally {
    // The descriptor is closed next, and nobody may still read by its number then.
    await reading.catch(() => undefined);
  }
}

function openSource(path: string, within: Containment | null): number {
  try {
    if (within === null) return openSync(path, FLAGS);
    // Before the file is opened: a caller must not learn whether a file outside exists.
    const real = canonical(path);
    if (!isInside(real, within.root)) throw new KnackError("ACCESS_DENIED", within.refusal);
    if (within.hidden !== undefined && isInside(real, within.hidden))
      throw new KnackError(
        "ACCESS_DENIED",
        `${shorten(path)} is one of Knack's own files; only a person at the terminal can use it.`,
      );
    const opened = openInProject(path, within.root);
    if (typeof opened === "number") return opened;
  } catch (error) {
    if (error instanceof KnackError) throw error;
    refuse(path, error);
  }
  throw new KnackError("ACCESS_DENIED", within?.refusal ?? `${path} may not be read.`);
}

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

function refuse(path: string, error: unknown): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === NOT_A_FILE)
    throw new KnackError("INVALID_PARAM", `${shorten(path)} is not a file; name a file.`);
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ERR_INVALID_ARG_VALUE")
    throw new KnackError("NOT_FOUND", `There is no file ${shorten(path)}; check the path.`);
  if (code === "EACCES" || code === "EPERM")
    throw new KnackError(
      "PERMISSION_DENIED",
      `The operating system denies access to ${shorten(path)} (${code}); ask its owner for the right to read it.`,
    );
  if (code === "") throw error;
  throw new KnackError("EXECUTION_ERROR", `${shorten(path)} cannot be read (${code}).`);
}

export function isInputUnchanged(before: Stats, now: Stats | undefined): boolean {
  return (["dev", "ino", "size", "mtimeMs", "ctimeMs"] as const).every((key) => before[key] === now?.[key]);
}
