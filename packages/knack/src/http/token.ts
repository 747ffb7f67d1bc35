import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { SkillError } from "@knack/core";
import { knackHome, readRegularFile, withLock, writeWhole } from "@knack/core/internal";

/** What whoever changes something has to know. */
export interface Token {
  readonly text: string;
  /** Where it is kept; null where the environment gave it. */
  readonly file: string | null;
  readonly notes: readonly string[];
}

/** What can be sent as `Authorization: Bearer`, and cannot be guessed. */
const TOKEN = /^[A-Za-z0-9._~+/-]{16,512}=*$/;
const MAX_BYTES = 1024;

/** `KNACK_TOKEN`, else the user's own file, which is made if it is not there. */
export function readToken(env: NodeJS.ProcessEnv, home: string): Token {
  const given = env.KNACK_TOKEN ?? "";
  if (given !== "") {
    if (TOKEN.test(given)) return { text: given, file: null, notes: [] };
    throw new SkillError(
      "CONFIG_INVALID",
      "KNACK_TOKEN must have 16 to 512 letters, digits or . _ ~ + / -, as those of: openssl rand -hex 32",
    );
  }
  const file = join(knackHome(env, home), "token");
  // Of several that start at once, one makes it and the others read that.
  return withLock(file, () => readOrMake(file));
}

function readOrMake(file: string): Token {
  const content = readRegularFile(file, MAX_BYTES, false);
  if ("fault" in content) {
    if (content.detail === "ENOENT") return { text: make(file), file, notes: [] };
    throw new SkillError(
      "CONFIG_INVALID",
      `${file} cannot be the token (${content.detail}); remove it, and a new one is made.`,
    );
  }
  const { mode, uid } = content.stats;
  const text = content.bytes.toString("utf8").trim();
  if (process.getuid && uid !== process.getuid())
    throw new SkillError(
      "CONFIG_INVALID",
      `${file} belongs to somebody else; remove it, and a new one is made.`,
    );
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    const note = `${file} could be read by others (mode ${(mode & 0o777).toString(8)}), so a new token was made.`;
    return { text: make(file), file, notes: [note] };
  }
  if (!TOKEN.test(text))
    throw new SkillError("CONFIG_INVALID", `${file} has no token in it; remove it, and a new one is made.`);
  return { text, file, notes: [] };
}

function make(file: string): string {
  const text = randomBytes(32).toString("base64url");
  const failure = writeWhole(file, `${text}\n`);
  if (failure) throw new SkillError("CONFIG_INVALID", `${file} cannot be written (${failure}).`);
  return text;
}

/** Compares in a time that tells nothing of either. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
