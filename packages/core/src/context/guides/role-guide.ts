import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { KnackError } from "../../shared/errors.ts";
import { faultText, isAbsent, readRegularFile } from "../../shared/regular-file.ts";
import GUIDES from "./role-guides.json" with { type: "json" };

export const ROLES = ["explorer", "oracle", "librarian", "fixer", "designer"] as const;
export type Role = (typeof ROLES)[number];

export function isRole(name: string): name is Role {
  return (ROLES as readonly string[]).includes(name);
}

const MAX_GUIDE_BYTES = 64 * 1024;

/**
 * The project's `.agents/roles/<role>.md` if it is trusted, else Knack's own. An unusable guide throws: an agent that
 * silently follows another does the wrong work.
 */
export function roleGuide(role: Role, projectRoot: string, trusted: boolean) {
  const own = { path: `knack:roles/${role}.md`, text: GUIDES[role].join("\n") };
  if (!trusted) return own;
  const file = join(projectRoot, ".agents", "roles", `${role}.md`);
  const content = readRegularFile(file, MAX_GUIDE_BYTES, false);
  if ("fault" in content) {
    if (isAbsent(content)) return own;
    throw unusable(role, file, faultText(content, MAX_GUIDE_BYTES));
  }
  if (!isUtf8(content.bytes)) throw unusable(role, file, "is not UTF-8 text");
  const text = new TextDecoder().decode(content.bytes);
  if (text.trim() === "") throw unusable(role, file, "is empty");
  return { path: file, text };
}

function unusable(role: Role, file: string, why: string): KnackError {
  const message = `The guide of the role ${role}, ${file}, ${why}. Fix it, or remove it to use Knack's own.`;
  return new KnackError("CONFIG_INVALID", message);
}
