import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isInside } from "@knack/core/internal/engine";
import { framed } from "./framed.ts";
import { importsOf } from "./imports-of.ts";
import { pythonImportsOf } from "./python-imports.ts";
import { realPath, resolveImport } from "./resolve-import.ts";

const MAX_FILES = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Never part of an implementation; what Knack writes there would change the digest with every run. */
const PASSED_OVER = new Set(["node_modules", "__pycache__", ".git", ".jj", ".knack"]);
const LOCK_FILES = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];
const SCRIPT = /\.[cm]?[jt]s$/;
/** Extensions that Python can import. */
const PYTHON = /\.(?:py|pyc|so|pyd)$/;

/** The files of an implementation cannot be determined. */
export class CannotCover extends Error {}
const TOO_MANY = `its code has more than ${MAX_FILES} files.`;

/** The current files of an implementation. */
export class Cover {
  readonly #root: string;
  /** Relative path → digest. */
  readonly #files = new Map<string, string>();
  /** Relative path → file identity, which also changes if the content was different for a moment. */
  readonly #stamps = new Map<string, string>();
  readonly #packages = new Set<string>();
  readonly #folders = new Set<string>();
  #bytes = 0;

  /** `root` is a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /** A script with everything that it imports. Not recursive: a chain of imports may be long. */
  script(path: string): void {
    const waiting = [path];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const text = this.#file(file);
      if (text === undefined || !SCRIPT.test(file)) continue;
      const { specifiers, computed } = importsOf(text);
      let whole = computed;
      for (const specifier of specifiers) {
        const resolved = resolveImport(specifier, file, this.#root);
        const { files = [], folders = [], packages = [] } = resolved ?? {};
        if (!resolved || ![...files, ...folders].every((place) => isInside(place, this.#root))) whole = true;
        waiting.push(...files);
        for (const name of packages) this.#package(name);
        for (const folder of folders) waiting.push(...this.#filesIn(folder));
      }
      if (whole) waiting.push(...this.#filesIn(dirname(file)));
    }
  }

  /** A Python file with its folder, its parent packages, and everything that it imports from the project. */
  python(path: string): void {
    const waiting = [path, ...this.#pythonIn(dirname(path))];
    for (let above = dirname(path); isInside(above, this.#root); above = dirname(above)) {
      const init = join(above, "__init__.py");
      if (existsSync(init)) waiting.push(init);
      if (above === this.#root) break;
    }
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const text = this.#file(file);
      if (text === undefined || !file.endsWith(".py")) continue;
      const { places, computed } = pythonImportsOf(text, file, [this.#root, dirname(path)]);
      for (const place of places) {
        const real = realPath(place);
        if (real === undefined || !isInside(real, this.#root)) continue;
        if (PYTHON.test(real)) waiting.push(real);
        else waiting.push(...this.#pythonIn(real));
      }
      if (computed) waiting.push(...this.#pythonIn(this.#root));
    }
  }

  /** Adds one file; returns its text, or `undefined` if it was added before. */
  #file(path: string): string | undefined {
    const name = relative(this.#root, path).split(sep).join("/");
    if (this.#files.has(name)) return undefined;
    if (this.#files.size >= MAX_FILES) throw new CannotCover(TOO_MANY);
    const { bytes, stamp } = readPart(path, MAX_BYTES - this.#bytes, name);
    this.#bytes += bytes.length;
    this.#files.set(name, createHash("sha256").update(bytes).digest("hex"));
    this.#stamps.set(name, stamp);
    return bytes.toString("utf8");
  }

  #pythonIn(folder: string): string[] {
    return this.#filesIn(folder).filter((file) => PYTHON.test(file));
  }

  /** Adds the regular files in and below a folder of the project, once per folder. */
  #filesIn(path: string): string[] {
    const found: string[] = [];
    const waiting = isInside(path, this.#root) ? [path] : [];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      if (this.#folders.has(folder)) continue;
      this.#folders.add(folder);
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const place = join(folder, entry.name);
        if (PASSED_OVER.has(entry.name) || place === join(this.#root, "workspace")) continue;
        if (entry.isDirectory()) waiting.push(place);
        else if (entry.isFile()) found.push(place);
        else if (entry.isSymbolicLink()) this.#link(place, found, waiting);
      }
      if (found.length + waiting.length > MAX_FILES) throw new CannotCover(TOO_MANY);
    }
    return found;
  }

  /** A link inside the project is followed, as the loaders do. */
  #link(place: string, files: string[], folders: string[]): void {
    const real = realPath(place);
    if (real === undefined || !isInside(real, this.#root)) return;
    const way = relative(this.#root, real).split(sep);
    if (way[0] === "workspace" || way.some((name) => PASSED_OVER.has(name))) return;
    const stats = statSync(real, { throwIfNoEntry: false });
    if (stats?.isDirectory()) folders.push(real);
    else if (stats?.isFile()) files.push(real);
  }

  #package(name: string): void {
    this.#packages.add(name);
    for (const lock of LOCK_FILES) {
      if (existsSync(join(this.#root, lock))) this.#file(join(this.#root, lock));
    }
  }

  names(): string[] {
    return [...this.#files.keys()].sort();
  }

  /** The content, for a digest. */
  text(): string {
    const files = this.names().flatMap((name) => [name, this.#files.get(name) ?? ""]);
    return framed("files", ...files, "packages", ...[...this.#packages].sort());
  }

  /** The identity of the files, to check whether they were touched. */
  stamp(): string {
    return framed(...this.names().flatMap((name) => [name, this.#stamps.get(name) ?? ""]));
  }
}

function readPart(path: string, maxBytes: number, name: string): { bytes: Buffer; stamp: string } {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw new CannotCover(`${name} is not a regular file.`);
    if (stats.size > maxBytes) throw new CannotCover(`its code has more than ${MAX_BYTES} bytes.`);
    const stamp = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
    return { bytes: readFileSync(fd), stamp };
  } finally {
    closeSync(fd);
  }
}
