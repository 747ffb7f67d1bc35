import { createHash, hash } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { canonical } from "@knack/core/internal";
import type { Implementation } from "./implementation.ts";
import { importsOf } from "./imports-of.ts";
import { resolveImport } from "./resolve-import.ts";

const MAX_FILES = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Never code of the implementation; what Knack itself writes would change the digest with every run. */
const PASSED_OVER = new Set(["node_modules", "__pycache__", ".git", ".jj", ".knack"]);
const LOCK_FILES = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];

export interface ImplementationDigest {
  /** Of the code and what runs it: part of the idempotency key. */
  readonly digest: string;
  /** Of the code alone: what trust is bound to, so that a new Node does not ask again. */
  readonly sources: string;
  /** What was covered, relative to the project, in order. */
  readonly files: readonly string[];
}

export interface DigestOptions {
  readonly projectRoot: string;
  /** What runs it, to its major version: `node 24`, `python 3.12`; the version of the engine for a built-in. */
  readonly runtime: string;
}

/**
 * Covers the implementation file and every project file that it imports, packages by name, version and lock file; for
 * Python every `.py` in its folder. Where an import cannot be followed, the whole folder of the file that has it. Paths
 * count relative to the project, so that a project that was moved keeps its results.
 */
export function implementationDigest(
  implementation: Implementation,
  options: DigestOptions,
): ImplementationDigest | { readonly problem: string } {
  if (implementation.kind === "builtin") {
    return finish(framed("builtin", implementation.name), [], options.runtime);
  }
  const cover = new Cover(canonical(options.projectRoot));
  try {
    if (implementation.language === "python") {
      const files = cover.filesIn(dirname(implementation.path)).filter((name) => name.endsWith(".py"));
      for (const file of files) cover.file(file);
    } else cover.module(implementation.path);
    return finish(cover.text(), cover.names(), options.runtime);
  } catch (error) {
    if (error instanceof CannotCover) return { problem: error.message };
    throw error;
  }
}

function finish(text: string, files: readonly string[], runtime: string): ImplementationDigest {
  const sources = hash("sha256", text);
  return { digest: hash("sha256", framed("run by", runtime, sources)), sources, files };
}

class CannotCover extends Error {}
const TOO_MANY = `more than ${MAX_FILES} files belong to it.`;

class Cover {
  readonly #root: string;
  /** Relative path → digest. */
  readonly #files = new Map<string, string>();
  readonly #packages = new Set<string>();
  readonly #folders = new Set<string>();
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** A file with everything that it imports, without recursion: a chain of imports may be long. */
  module(path: string): void {
    const waiting = [path];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const text = this.file(file);
      if (text === undefined || !/\.[cm]?[jt]s$/.test(file)) continue;
      const { specifiers, computed } = importsOf(text);
      let whole = computed;
      for (const specifier of specifiers) {
        const resolved = resolveImport(specifier, file, this.#root);
        if (!resolved) whole = true;
        waiting.push(...(resolved?.files ?? []));
        for (const name of resolved?.packages ?? []) this.#package(name);
        for (const folder of resolved?.folders ?? []) waiting.push(...this.filesIn(folder));
      }
      if (whole) waiting.push(...this.filesIn(dirname(file)));
    }
  }

  /** Adds one file; answers its text, or `undefined` where it was there already. */
  file(path: string): string | undefined {
    const name = relative(this.#root, path).split(sep).join("/");
    if (this.#files.has(name)) return undefined;
    if (this.#files.size >= MAX_FILES) throw new CannotCover(TOO_MANY);
    const bytes = readPart(path, MAX_BYTES - this.#bytes, name);
    this.#bytes += bytes.length;
    this.#files.set(name, createHash("sha256").update(bytes).digest("hex"));
    return bytes.toString("utf8");
  }

  /** The regular files of a folder and of those below it; once a folder. Links are not followed. */
  filesIn(path: string): string[] {
    if (this.#folders.has(path)) return [];
    this.#folders.add(path);
    const found: string[] = [];
    const waiting = [path];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const place = join(folder, entry.name);
        if (PASSED_OVER.has(entry.name) || place === join(this.#root, "workspace")) continue;
        if (entry.isDirectory()) waiting.push(place);
        else if (entry.isFile()) found.push(place);
      }
      if (found.length + waiting.length > MAX_FILES) throw new CannotCover(TOO_MANY);
    }
    return found;
  }

  #package(name: string): void {
    this.#packages.add(name);
    for (const lock of LOCK_FILES) {
      if (existsSync(join(this.#root, lock))) this.file(join(this.#root, lock));
    }
  }

  names(): string[] {
    return [...this.#files.keys()].sort();
  }

  text(): string {
    const files = this.names().flatMap((name) => [name, this.#files.get(name) ?? ""]);
    return framed("files", ...files, "packages", ...[...this.#packages].sort());
  }
}

function readPart(path: string, maxBytes: number, name: string): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new CannotCover(`${name} is not a regular file.`);
    if (stats.size > maxBytes) throw new CannotCover(`its files have more than ${MAX_BYTES} bytes.`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Each part with its length, so that no name can pass for two. */
function framed(...parts: readonly string[]): string {
  return parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join("");
}
