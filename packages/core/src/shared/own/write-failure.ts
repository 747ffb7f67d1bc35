import { SkillError } from "../errors.ts";

const REASONS: Readonly<Record<string, string>> = {
  EROFS: "the file system is read-only",
  EACCES: "you have no permission to write there",
  EPERM: "the system does not allow it",
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  ELOOP: "it is a link",
  ENOENT: "its parent folder does not exist and cannot be created",
};

/** What cannot be written, why, and what to do. */
export function writeFailure(file: string, code: string, isInUserFolder = false): string {
  const reason = REASONS[code] ?? "the system refused";
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  const step = isFull
    ? "Free some space, then try again."
    : isInUserFolder
      ? "Make it writable, or set KNACK_HOME to a folder that you can write to."
      : "Make it writable, then try again.";
  return `${file} cannot be written: ${reason} (${code}). ${step}`;
}

export function writeError(file: string, code: string, isInUserFolder = false): SkillError {
  return new SkillError("CONFIG_INVALID", writeFailure(file, code, isInUserFolder));
}
