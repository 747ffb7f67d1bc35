import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { SkillError } from "@knack/core";
import { knackHome, readRegularFile, systemCode, withLock, writeDurably } from "@knack/core/internal";

/** What whoever is answered has to know. */
export interface Token {
  readonly text: string;
  /** Where it is kept; null where the environment gave it. */
  readonly file: string | null;
  readonly notes: readonly string[];
}

/** What can be sent as `Authorization: Bearer`. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;
/** With fewer characters it may be guessed. */
const LONG = 16;
const MAX_BYTES = 1024;

/** `KNACK_TOKEN`, else the user's own file, which is made if it is not there. */
export async function readToken(env: NodeJS.ProcessEnv, home: string): Promise<Token> {
  const given = env.KNACK_TOKEN ?? "";
  if (given !== "") {
    if (TOKEN.test(given)) return { text: given, file: null, notes: shortNotes("KNACK_TOKEN", given) };
    throw new SkillError(
      "CONFIG_INVALID",
      "KNACK_TOKEN must be at most 512 visible ASCII characters without a space, as those of: openssl rand -hex 32",
    );
  }
  const file = join(knackHome(env, home), "token");
  const known = read(file);
  if (typeof known === "object") return known;
  let isLocked = false;
  try {
    // Of several that start at once, one makes it and the others read that.
    return await withLock(file, () => {
      isLocked = true;
      const made = read(file);
      return typeof made === "object" ? made : make(file, made);
    });
  } catch (error) {
    // A folder that cannot be written makes no lock, and is no reason not to serve.
    if (isLocked || (error instanceof SkillError && error.code === "CONFLICT")) throw error;
    return unkept(file, error instanceof SkillError ? error.message : systemCode(error));
  }
}

/** The token of the file; else why a new one has to be made, or nothing where there is none yet. */
function read(file: string): Token | string {
  const content = readRegularFile(file, MAX_BYTES, false);
  if ("fault" in content) {
    if (content.detail === "ENOENT" || content.detail === "ENOTDIR") return "";
    throw new SkillError(
      "CONFIG_INVALID",
      `${file} cannot be the token (${content.detail}); remove it, and a new one is made.`,
    );
  }
  const { mode, uid, nlink } = content.stats;
  const text = content.bytes.toString("utf8").trim();
  if (process.getuid && uid !== process.getuid())
    throw new SkillError(
      "CONFIG_INVALID",
      `${file} belongs to somebody else; remove it, and a new one is made.`,
    );
  if (nlink !== 1)
    throw new SkillError(
      "CONFIG_INVALID",
      `${file} has other names too (hard links); remove it, and a new one is made.`,
    );
  if (text === "") return `${file} was empty, so a new token was made.`;
  if (process.platform !== "win32" && (mode & 0o077) !== 0)
    return `${file} could be read by others (mode ${(mode & 0o777).toString(8)}), so a new token was made.`;
  if (TOKEN.test(text)) return { text, file, notes: shortNotes(file, text) };
  throw new SkillError("CONFIG_INVALID", `${file} has no token in it; remove it, and a new one is made.`);
}

function make(file: string, reason: string): Token {
  const text = newText();
  const failure = writeDurably(file, 0o600, `${text}\n`);
  if (failure) return unkept(file, failure);
  return { text, file, notes: reason === "" ? [] : [reason] };
}

/** A home that cannot be written to is no reason not to serve. */
function unkept(file: string, failure: string): Token {
  const note = `The token cannot be kept in ${file} (${failure}), so it is valid until this server ends. Set KNACK_TOKEN to choose one.`;
  return { text: newText(), file: null, notes: [note] };
}

function newText(): string {
  return randomBytes(32).toString("base64url");
}

function shortNotes(where: string, text: string): string[] {
  if (text.length >= LONG) return [];
  return [`The token of ${where} is short and may be guessed; take a long one, as of: openssl rand -hex 32`];
}

/** Compares in a time that tells nothing of either. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
