import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { canonical, isInside, systemCode } from "@knack/core/files";
import { KnackError, shorten } from "@knack/core/text";
import { type Hashed, hashFile, piecesOf, writeBytes } from "../artifacts/hash-file.ts";
import { NOT_A_FILE, openInProject } from "../shared/in-project.ts";

export interface HashedFile extends Hashed {
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

/** The digest of a regular file, in constant memory, by one descriptor. Pipes and devices are refused without blocking. */
export async function hashInput(path: string, options: HashOptions = {}): Promise<HashedFile> {
  const { signal, into, within = null } = options;
  const source = openSource(path, within);
  try {
    const stats = fstatSync(source);
    if (!stats.isFile())
      throw new KnackError("INVALID_PARAM", `${shorten(path)} is not a file; name a file.`);
    if (into === undefined) return { ...(await hashFile(source, signal)), stats };
    await using target = await open(into, "wx", 0o600);
    return { ...(await writeBytes(piecesOf(source, signal), target.fd)), stats };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== "read") throw error;
    throw new KnackError("EXECUTION_ERROR", `${shorten(path)} cannot be read (${systemCode(error)}).`);
  } finally {
    closeSync(source);
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
