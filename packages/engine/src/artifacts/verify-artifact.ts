import { hash } from "node:crypto";
import { closeSync, fstatSync, readFileSync } from "node:fs";
import { systemCode } from "@knack/core/files";
import { KnackError } from "@knack/core/text";
import { Folder } from "./folder.ts";
import { hashFile } from "./hash-file.ts";

export interface RecordedArtifact {
  readonly path: string;
  readonly sha256: string;
}

export async function verifyArtifact(
  projectRoot: string,
  artifact: RecordedArtifact,
): Promise<"whole" | "missing" | "changed"> {
  const there = await digestAt(projectRoot, artifact.path);
  if (there === "missing") return "missing";
  return there === artifact.sha256 ? "whole" : "changed";
}

export async function digestAt(projectRoot: string, path: string): Promise<string | "missing" | "no file"> {
  const fd = openArtifact(projectRoot, path);
  if (typeof fd === "string") return fd;
  try {
    return (await hashFile(fd)).sha256;
  } finally {
    closeSync(fd);
  }
}

/** The recorded bytes of an artifact. Throws `KnackError` where the file is gone or has other bytes by now. */
export function readArtifact(projectRoot: string, { path, sha256 }: RecordedArtifact): Buffer {
  const fd = openArtifact(projectRoot, path);
  if (typeof fd === "string") throw changed(path);
  try {
    const bytes = readFileSync(fd);
    if (hash("sha256", bytes) === sha256) return bytes;
    throw changed(path);
  } finally {
    closeSync(fd);
  }
}

/** An artifact open for reading, with the recorded bytes; the caller closes it. Throws like `readArtifact`; of any size. */
export async function openRecorded(
  projectRoot: string,
  { path, sha256 }: RecordedArtifact,
): Promise<{ readonly fd: number; readonly size: number }> {
  const fd = openArtifact(projectRoot, path);
  if (typeof fd === "string") throw changed(path);
  try {
    const hashed = await hashFile(fd);
    if (hashed.sha256 === sha256) return { fd, size: hashed.size };
    throw changed(path);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function changed(path: string): KnackError {
  return new KnackError(
    "CONFLICT",
    `The artifact ${path} was removed or changed after the run; run the skill again.`,
  );
}

/** The file at an artifact's path. A link anywhere in the path counts as "no file": artifacts are never behind one. */
export function openArtifact(projectRoot: string, path: string): number | "missing" | "no file" {
  const segments = path.split("/");
  const name = segments.pop() ?? "";
  try {
    using folder = Folder.open(projectRoot, segments, false);
    const fd = folder.openToRead(name);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
    return "no file";
  } catch (error) {
    return ["ENOENT", "ENOTDIR", "NOT_FOUND"].includes(systemCode(error)) ? "missing" : "no file";
  }
}
