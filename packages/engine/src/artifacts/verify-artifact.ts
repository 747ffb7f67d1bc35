import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "@knack/core/internal";
import { hashFile } from "./hash-file.ts";

/** Whether a recorded artifact is still there with the bytes that were recorded. */
export async function verifyArtifact(
  projectRoot: string,
  artifact: { readonly path: string; readonly sha256: string },
): Promise<"whole" | "missing" | "changed"> {
  let fd: number;
  try {
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
    fd = openSync(join(projectRoot, artifact.path), flags);
  } catch (error) {
    const code = systemCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? "missing" : "changed";
  }
  try {
    if (!fstatSync(fd).isFile()) return "changed";
    return (await hashFile(fd)).sha256 === artifact.sha256 ? "whole" : "changed";
  } finally {
    closeSync(fd);
  }
}
