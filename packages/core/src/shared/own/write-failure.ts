import { SkillError } from "../errors.ts";

const REASONS: Readonly<Record<string, string>> = {
  EROFS: "the file system is read-only",
  EACCES: "you have no permission to write there",
  EPERM: "the system does not allow it",
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "a folder stands in its place",
  ELOOP: "a link stands in its place",
  ENOENT: "the folder above it does not exist and cannot be made",
};

/** What cannot be written, why, and what to do. */
export function writeFailure(file: string, code: string, isInUserFolder = false): string {
  const reason = REASONS[code] ?? "the system refuses";
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
