import { createHash, type Hash } from "node:crypto";
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { systemCode } from "../shared/errors.ts";
import { compareText } from "../shared/fold.ts";
import { kindOf } from "../shared/regular-file.ts";

/** The limit of the YAML library, which finds the lines of a lock. */
export const MAX_KEY = 1_000;

/** Keys that the library refuses. */
const RESERVED = new Set(["__proto__", "<<"]);

/** Strangers may write a lock: a path must stay in its folder on every system, and have one spelling. */
export function pathFault(path: string): string | undefined {
  if (path === "") return "is empty";
  if (path.includes("\0")) return "contains a NUL character";
  if (path.includes("\\")) return "contains a backslash; use slashes";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is absolute; make it relative";
  const parts = path.split("/");
  if (parts.includes("..")) return 'contains ".."';
  if (parts.includes(".") || parts.includes("")) return "has an empty part";
  if (!path.isWellFormed()) return "is not valid Unicode";
  if (RESERVED.has(path)) return "is a reserved word";
  if (JSON.stringify(path).length > MAX_KEY) return "is too long";
  return undefined;
}

/** What has no digest. */
export interface DigestFault {
  /** From the skill's folder, with slashes; empty for the folder itself. */
  readonly path: string;
  readonly kind: "link" | "special" | "unreadable" | "name" | "limit" | "missing";
  readonly detail: string;
}

export interface SkillDigest {
  /** Of all files together; what `digestOf` makes of `files`. */
  readonly sha256: string;
  /** By path with slashes, in code unit order. */
  readonly files: ReadonlyMap<string, string>;
  readonly faults: readonly DigestFault[];
}

const LIMITS = { files: 10_000, bytes: 512 * 1024 * 1024 };
type DigestLimits = Readonly<typeof LIMITS>;
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Links are never followed; what is not a readable regular file is a fault. `.git` at the top is left out: git changes it. */
export async function digestSkill(dir: string, limits: DigestLimits = LIMITS): Promise<SkillDigest> {
  const walk = new FolderWalk(dir, limits);
  walk.list((path) => path === ".git");
  const files = new Map<string, string>();
  for (const path of walk.paths.sort(compareText)) {
    const hash = createHash("sha256");
    if (await walk.read(path, hash)) files.set(path, hash.digest("hex"));
  }
  return { sha256: digestOf(files), files, faults: walk.faults };
}

/** SHA-256 over a line `path NUL sha256` for each, in order. */
export function digestOf(files: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const [path, sha256] of files) hash.update(`${path}\0${sha256}\n`);
  return hash.digest("hex");
}

/** First listed, then read, within limits. */
export class FolderWalk {
  readonly paths: string[] = [];
  readonly faults: DigestFault[] = [];
  readonly #dir: string;
  readonly #limits: DigestLimits;
  readonly #chunk = Buffer.allocUnsafe(64 * 1024);
  #bytes = 0;
  #isFull = false;

  constructor(dir: string, limits: DigestLimits = LIMITS) {
    this.#dir = dir;
    this.#limits = limits;
  }

  list(isSkipped: (path: string) => boolean, folder = ""): void {
    for (const entry of this.#entries(folder)) {
      if (this.#isFull) return;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const fault = pathFault(path);
      if (isSkipped(path)) continue;
      if (fault !== undefined) this.#fault(path, "name", `its path ${fault}`);
      else if (entry.isDirectory()) this.list(isSkipped, path);
      else if (!entry.isFile()) this.#notAFile(path, "ENOENT");
      else if (this.paths.length < this.#limits.files) this.paths.push(path);
      else this.#stop(path, `more than ${this.#limits.files} files`);
    }
  }

  #entries(path: string): Dirent[] {
    const folder = join(this.#dir, path);
    try {
      const stats = lstatSync(folder);
      if (!stats.isDirectory()) {
        this.#fault(path, stats.isSymbolicLink() ? "link" : "special", `${kindOf(stats)}, not a folder`);
        return [];
      }
      return readdirSync(folder, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
    } catch (error) {
      const code = systemCode(error);
      this.#fault(path, path === "" && code === "ENOENT" ? "missing" : "unreadable", code);
      return [];
    }
  }

  /** Answers whether all bytes could be read. */
  async read(path: string, hash: Hash): Promise<boolean> {
    if (this.#bytes > this.#limits.bytes) return false;
    let descriptor: number | undefined;
    try {
      descriptor = openSync(join(this.#dir, path), READ_ONLY);
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) return this.#fault(path, "special", kindOf(stats));
      for (;;) {
        const length = readSync(descriptor, this.#chunk, 0, this.#chunk.length, null);
        if (length === 0) return true;
        this.#bytes += length;
        if (this.#bytes > this.#limits.bytes)
          return this.#stop(path, `more than ${this.#limits.bytes} bytes in all files`);
        hash.update(this.#chunk.subarray(0, length));
        await pause();
      }
    } catch (error) {
      return this.#notAFile(path, systemCode(error));
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  /** What stands there says more than the error code. */
  #notAFile(path: string, code: string): false {
    const stats = lstatSync(join(this.#dir, path), { throwIfNoEntry: false });
    if (!stats || stats.isFile()) return this.#fault(path, "unreadable", code);
    return this.#fault(path, stats.isSymbolicLink() ? "link" : "special", kindOf(stats));
  }

  #fault(path: string, kind: DigestFault["kind"], detail: string): false {
    this.faults.push({ path, kind, detail });
    return false;
  }

  #stop(path: string, detail: string): false {
    this.#isFull = true;
    return this.#fault(path, "limit", detail);
  }
}

export interface FileChange {
  /** Empty: the folder itself. */
  readonly path: string;
  /** `unknown`: it has no digest. */
  readonly kind: "changed" | "missing" | "extra" | "link" | "unknown";
  readonly detail?: string;
}

/** Empty where every byte is as it was. */
export function compareDigest(locked: Pick<SkillDigest, "files">, now: SkillDigest): FileChange[] {
  const changes: FileChange[] = now.faults.map(({ path, kind, detail }) => {
    if (kind === "missing") return { path, kind };
    return { path, kind: kind === "link" ? kind : "unknown", detail };
  });
  const isTold = new Set(changes.map(({ path }) => path));
  // A walk that ended early has not seen the rest.
  const isWhole = !now.faults.some(({ path, kind }) => kind === "limit" || path === "");
  for (const [path, sha256] of locked.files) {
    const found = now.files.get(path);
    if (found === undefined && isWhole && !isTold.has(path)) changes.push({ path, kind: "missing" });
    else if (found !== undefined && found !== sha256) changes.push({ path, kind: "changed" });
  }
  for (const path of now.files.keys()) if (!locked.files.has(path)) changes.push({ path, kind: "extra" });
  return changes.sort((a, b) => compareText(a.path, b.path));
}
