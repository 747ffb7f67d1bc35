import { SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";

/** What git allows in the name of a branch or tag, and no more: nothing of it is an option, a pattern or a refspec. */
const REF =
  /^(?![-/.+@])(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\u0000-\u0020\u007f~^:?*[\\]+(?<![/.])$/;
const MAX_REF = 250;

export const isCommit = (ref: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(ref);

export function requireRef(ref: string): string {
  if (REF.test(ref) && ref.length <= MAX_REF) return ref;
  throw new SkillError("INVALID_PARAM", `${quote(ref)} cannot be the name of a branch, tag or commit.`);
}

/** A path in a repository, with slashes, or nothing for all of it. */
export function requirePlainPath(given: string): string {
  const parts = given.split("/").filter((part) => part !== "");
  if (parts.some((part) => part === "." || part === ".." || /[\u0000-\u001f\u007f\\]/.test(part)))
    throw new SkillError("INVALID_PARAM", `${quote(given)} is not a path in a repository.`);
  return parts.join("/");
}
