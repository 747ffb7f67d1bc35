import { hash } from "node:crypto";
import { canonical } from "@knack/core/internal/engine";
import { framed } from "./framed.ts";
import type { Implementation } from "./implementation.ts";
import { CannotCover, Cover } from "./source-files.ts";

export interface ImplementationDigest {
  /** Of the code and what runs it: part of the idempotency key. */
  readonly digest: string;
  /** Of the code alone: what trust is bound to, so that a new Node does not ask again. */
  readonly sources: string;
  /** Of which files these were: the same before and after a run, they were not touched meanwhile. */
  readonly stamp: string;
  /** What was covered, relative to the project, in order. */
  readonly files: readonly string[];
}

export interface DigestOptions {
  readonly projectRoot: string;
  /** What runs it, to its major version: `node 24`, `python 3.12`; the version of the engine for a built-in. */
  readonly runtime: string;
}

/**
 * Covers the function's name, its file and every project file that it imports, packages by name, version and lock file;
 * for Python every module in its folder besides. Where an import cannot be followed, the whole folder of the file that
 * has it. Paths count relative to the project, so that a project that was moved keeps its results.
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
    // Gone, unreadable or put out of reach between two looks.
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
