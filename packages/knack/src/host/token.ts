import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { knackHome } from "@knack/core/config";
import { readRegularFile, systemCode, withLock, writeDurably } from "@knack/core/files";
import { KnackError } from "@knack/core/text";

export interface Token {
  readonly text: string;
  readonly file: string | null;
  readonly notes: readonly string[];
}

/** Characters allowed in `Authorization: Bearer`; a shorter text could be guessed. */
const TOKEN = /^[\x21-\x7e]{16,512}$/;
const MAX_BYTES = 1024;

/** `KNACK_TOKEN`, or the token file in the user's folder, which is created if missing. */
export async function readToken(env: NodeJS.ProcessEnv, home: string): Promise<Token> {
  const given = env.KNACK_TOKEN ?? "";
  if (given !== "") {
    if (TOKEN.test(given)) return { text: given, file: null, notes: [] };
    throw new KnackError(
      "CONFIG_INVALID",
      "KNACK_TOKEN must be 16 to 512 visible ASCII characters without spaces. Create one with: openssl rand -hex 32",
    );
  }
  const file = join(knackHome(env, home), "token");
  const known = read(file);
  if (typeof known === "object") return known;
  let isLocked = false;
  try {
    // If several servers start at once, one creates the file and the others read it.
    return await withLock(knackHome(env, home), file, () => {
      isLocked = true;
      const made = read(file);
      return typeof made === "object" ? made : make(file, made);
    });
  } catch (error) {
    // A read-only folder allows no lock; serve anyway.
    if (isLocked || (error instanceof KnackError && error.code === "CONFLICT")) throw error;
    return unkept(file, error instanceof KnackError ? error.message : systemCode(error));
  }
}

/** The token from the file; else why a new one is needed, or "" if there is no file yet. */
function read(file: string): Token | string {
  const unusable = (why: string): KnackError =>
    new KnackError("CONFIG_INVALID", `${file} ${why}; remove it, and Knack creates a new one.`);
  const content = readRegularFile(file, MAX_BYTES, false);
  if ("fault" in content) {
    if (content.detail === "ENOENT" || content.detail === "ENOTDIR") return "";
    throw unusable(`cannot be used as the token file (${content.detail})`);
  }
  const { mode, uid, nlink } = content.stats;
  const text = content.bytes.toString("utf8").trim();
  if (process.getuid && uid !== process.getuid()) throw unusable("belongs to another user");
  if (nlink !== 1) throw unusable("has more than one hard link");
  if (text === "") return `${file} was empty, so Knack created a new token.`;
  if (process.platform !== "win32" && (mode & 0o077) !== 0)
    return `${file} could be read by other users (mode ${(mode & 0o777).toString(8)}), so Knack created a new token.`;
  if (TOKEN.test(text)) return { text, file, notes: [] };
  throw unusable("contains no valid token");
}

function make(file: string, reason: string): Token {
  const text = newText();
  const failure = writeDurably(file, 0o600, `${text}\n`);
  if (failure) return unkept(file, failure);
  return { text, file, notes: reason === "" ? [] : [reason] };
}

/** With a read-only home folder the server still works, with a token that is valid until it stops. */
function unkept(file: string, failure: string): Token {
  const note = `The token cannot be saved in ${file} (${failure}), so it is valid only until this server stops. Set KNACK_TOKEN to use your own.`;
  return { text: newText(), file: null, notes: [note] };
}

function newText(): string {
  return randomBytes(32).toString("base64url");
}

/** Compares in constant time. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(given), digest(token));
}
