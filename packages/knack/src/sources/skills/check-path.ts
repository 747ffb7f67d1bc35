import { LIMITS } from "../limits.ts";

/** Device names that Windows reserves, with or without an ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;
/** What Windows does not allow in a name, and what no name should have. */
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f"*<>?|:\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Why a file of a skill cannot have this path, on one of the systems that a skill may be used on; `undefined` for a good one. */
export function pathFault(path: string): string | undefined {
  // First: a path that was cut because of its length ends in the mark that the next line looks for.
  if (path.length > LIMITS.pathLength) return `has a path of more than ${LIMITS.pathLength} characters`;
  if (path.includes("\ufffd")) return "has a name that is not valid UTF-8";
  if (path.includes("\\")) return "has a backslash in its name";
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return "has an absolute path";
  const parts = path.split("/");
  if (parts.length > LIMITS.depth) return `is more than ${LIMITS.depth} folders deep`;
  for (const part of parts) {
    if (part === "" || part === "." || part === "..") return 'has ".." or an empty name in its path';
    if (FORBIDDEN.test(part)) return "has a character in its name that some systems do not allow";
    if (/[. ]$/.test(part) || part.startsWith(" ")) return "has a name that ends with a dot or a space";
    if (DEVICE.test(part)) return "has the name of a Windows device";
    if (Buffer.byteLength(part) > 255) return "has a name of more than 255 bytes";
  }
  return undefined;
}

/** Two paths with one key are one file on some systems: those that ignore case, or the way accents are encoded. */
export const collisionKey = (path: string): string => path.normalize("NFC").toUpperCase().toLowerCase();
