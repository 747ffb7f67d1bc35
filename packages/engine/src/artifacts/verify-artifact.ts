import { closeSync, constants, fstatSync } from "node:fs";
import { systemCode } from "@knack/core/internal/engine";
import { Folder, PathRefused } from "./folder.ts";
import { hashFile } from "./hash-file.ts";

/** Whether a recorded artifact is still there with the bytes that were recorded. */
export async function verifyArtifact(
  projectRoot: string,
  artifact: { readonly path: string; readonly sha256: string },
): Promise<"whole" | "missing" | "changed"> {
  const there = await digestAt(projectRoot, artifact.path);
  if (there === "missing") return "missing";
  return there === artifact.sha256 ? "whole" : "changed";
}

/** The digest of the file at an artifact's path. A link anywhere in the path counts as "no file": artifacts are never behind one. */
export async function digestAt(projectRoot: string, path: string): Promise<string | "missing" | "no file"> {
  const way = path.split("/");
  const name = way.pop() ?? "";
  let fd: number;
  try {
    using folder = Folder.open(projectRoot, way, false);
    fd = folder.openFile(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (error instanceof PathRefused) return error.isAbsent ? "missing" : "no file";
    const code = systemCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? "missing" : "no file";
  }
  try {
    return fstatSync(fd).isFile() ? (await hashFile(fd)).sha256 : "no file";
  } finally {
    closeSync(fd);
  }
}
