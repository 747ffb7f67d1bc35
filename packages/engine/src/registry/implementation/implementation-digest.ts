import { hash } from "node:crypto";
import { canonical } from "@knack/core/internal/engine";
import { framed } from "./framed.ts";
import type { Implementation } from "./implementation.ts";
import { CannotCover, Cover } from "./source-files.ts";

export interface ImplementationDigest {
  /** Digest of the code and its runtime: part of the idempotency key. */
  readonly digest: string;
  /** Digest of the code alone: trust is bound to it, so a new Node does not ask again. */
  readonly sources: string;
  /** Identity of the files: if it is the same before and after a run, the files were not touched. */
  readonly stamp: string;
  /** The covered files, relative to the project, sorted. */
  readonly files: readonly string[];
}

export interface DigestOptions {
  readonly projectRoot: string;
  /** The runtime with its major version: `node 24`, `python 3.12`; the engine's version for a built-in. */
  readonly runtime: string;
}

/**
 * Covers the function's name, its file and every project file that it imports, packages by name, version and lock file; for
 * Python also every module in its folder. If an import cannot be followed, the whole folder of the importing file. Paths are
 * relative to the project, so that a moved project keeps its results.
 */
export function implementationDigest(
  implementation: Implementation,
  options: DigestOptions,
): ImplementationDigest | { readonly problem: string } {
  if (implementation.kind === "builtin") {
    return { ...digestsOf(framed("builtin", implementation.name), options.runtime), stamp: "", files: [] };
  }
  const { path, file, functionName, language } = implementation;
  const cover = new Cover(canonical(options.projectRoot));
  try {
    if (language === "python") cover.python(path);
    else cover.script(path);
  } catch (error) {
    if (error instanceof CannotCover) return { problem: error.message };
    const { code, path: gone } = error as NodeJS.ErrnoException;
    // Removed, unreadable or moved away between two reads.
    if (code !== undefined) return { problem: `${gone ?? file} cannot be read (${code}).` };
    throw error;
  }
  const text = framed(file, functionName) + cover.text();
  return {
    ...digestsOf(text, options.runtime),
    stamp: hash("sha256", cover.stamp()),
    files: cover.names(),
  };
}

function digestsOf(text: string, runtime: string): Pick<ImplementationDigest, "digest" | "sources"> {
  const sources = hash("sha256", text);
  return { digest: hash("sha256", framed("run by", runtime, sources)), sources };
}
