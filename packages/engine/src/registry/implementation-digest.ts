import { hash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { canonical, isInside, readRegularFile, tryOr } from "@knack/core/files";
import { isRecord, KnackError, parseJson } from "@knack/core/text";
import type { Implementation } from "./implementation.ts";

/** Each part with its length, so that no two lists of parts give the same text. */
export function framed(...parts: readonly string[]): string {
  return parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join("");
}

const MAX_FILES = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Never part of an implementation; what Knack writes there would change the digest with every run. */
const PASSED_OVER = new Set(["node_modules", "__pycache__", ".git", ".jj", ".knack"]);
const LOCK_FILES = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];
/** A text between quotes, wherever it stands: one too many covers more, one too few could serve a stale result. */
const LITERAL = /(["'`])(?=([^"'`\n\\]{1,1000})\1)/g;
/** Something may be loaded by a computed name, or located beside the file: then its whole folder is covered. */
const COMPUTED =
  /(?<![\w$])(?:import\s*(?:\.|\((?!\s*(["'`])[^"'`$\\]*\1\s*[,)])|\/)|require(?!\s*\(\s*(["'])[^"'\\]*\2\s*[,)])(?![ \t]+\w)|createRequire|__dirname|__filename|eval\s*\(|(?:from|import)\s*["'][^"'\n]*\\)/;
const ENDINGS = ["", ".ts", ".mts", ".js", ".mjs", ".cjs", ".json", ".node"];
const SCRIPT = /\.[cm]?[jt]s$/;
/** Extensions that Python can import. */
const PYTHON = /\.(?:py|pyc|so|pyd)$/;

function cannotCover(problem: string): KnackError {
  return new KnackError("INVALID_PARAM", problem);
}
const TOO_MANY = `its code has more than ${MAX_FILES} files.`;

class Cover {
  readonly #root: string;
  /** By relative path: the digest, and the file's identity, which also changes if the content was different for a moment. */
  readonly #files = new Map<string, { readonly digest: string; readonly stamp: string }>();
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
      if (COMPUTED.test(text)) waiting.push(...this.#filesIn(dirname(file)));
      const literals = new Set([...text.matchAll(LITERAL)].map((match) => match[2] ?? ""));
      for (const literal of literals) waiting.push(...this.#named(literal, file));
    }
  }

  /** The files of the project that a text in a script may name. */
  #named(text: string, from: string): string[] {
    if (/^\.{0,2}\/./.test(text) || /^file:/i.test(text)) return this.#filesAt(text, from);
    if (text.startsWith("#")) return this.#mapped(from, ["imports"]);
    const name = /^(?:@[\w.-]+\/)?[\w.-]+/.exec(text)?.[0];
    if (name === undefined || text.startsWith("node:") || isBuiltin(name)) return [];
    for (let folder = dirname(from); isInside(folder, this.#root); folder = dirname(folder)) {
      const place = realPath(join(folder, "node_modules", name));
      if (place === undefined) continue;
      this.#lockFiles();
      const isOwn = isInside(place, this.#root) && !/[/\\]node_modules[/\\]/.test(place);
      return isOwn ? this.#filesIn(place) : [];
    }
    return this.#packageOf(from)?.json.name === name ? this.#mapped(from, ["exports", "main"]) : [];
  }

  /** As a path and as an address; with every ending, because loaders try them in different orders. */
  #filesAt(text: string, from: string): string[] {
    const url = URL.parse(text, pathToFileURL(from).href);
    const paths = [resolve(dirname(from), text), ...(url?.protocol === "file:" ? [fromUrl(url)] : [])];
    return paths.flatMap((path) => ENDINGS.flatMap((ending) => this.#filesUnder(path + ending)));
  }

  /** All that these keys of the nearest package.json lead to: conditions decide at run time. */
  #mapped(from: string, keys: readonly string[]): string[] {
    const own = this.#packageOf(from);
    const targets = strings(keys.map((key) => own?.json[key])).filter((target) => target.startsWith("."));
    if (!own || targets.length === 0) return [];
    // Of a pattern, the folder before its star.
    const places = targets.map((target) => resolve(own.folder, target.replace(/[^/]*\*.*$/, "")));
    return [own.path, ...places.flatMap((place) => this.#filesUnder(place))];
  }

  #filesUnder(path: string): string[] {
    const real = realPath(path);
    if (real === undefined || real === this.#root || !isInside(real, this.#root)) return [];
    return statSync(real).isDirectory() ? this.#filesIn(real) : [real];
  }

  #packageOf(from: string): OwnPackage | undefined {
    for (let folder = dirname(from); isInside(folder, this.#root); folder = dirname(folder)) {
      const path = join(folder, "package.json");
      if (existsSync(path)) return { path, folder, json: readJson(path) };
    }
    return undefined;
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
      for (const place of pythonImportsOf(text, file, [this.#root, dirname(path)])) {
        const real = realPath(place);
        if (real === undefined || !isInside(real, this.#root)) continue;
        if (PYTHON.test(real)) waiting.push(real);
        else waiting.push(...this.#pythonIn(real));
      }
      if (COMPUTED_PYTHON.test(text)) waiting.push(...this.#pythonIn(this.#root));
    }
  }

  #file(path: string): string | undefined {
    const name = relative(this.#root, path).split(sep).join("/");
    if (this.#files.has(name)) return undefined;
    if (this.#files.size >= MAX_FILES) throw cannotCover(TOO_MANY);
    const { bytes, stamp } = readPart(path, MAX_BYTES - this.#bytes, name);
    this.#bytes += bytes.length;
    this.#files.set(name, { digest: hash("sha256", bytes), stamp });
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
        // A link inside the project is followed, as the loaders do.
        const real = entry.isSymbolicLink() ? this.#linked(place) : place;
        const kind = entry.isSymbolicLink() && real ? statSync(real, { throwIfNoEntry: false }) : entry;
        if (real && kind?.isDirectory()) waiting.push(real);
        else if (real && kind?.isFile()) found.push(real);
      }
      if (found.length + waiting.length > MAX_FILES) throw cannotCover(TOO_MANY);
    }
    return found;
  }

  #linked(place: string): string | undefined {
    const real = realPath(place);
    if (real === undefined || !isInside(real, this.#root)) return undefined;
    const names = relative(this.#root, real).split(sep);
    return names[0] === "workspace" || names.some((name) => PASSED_OVER.has(name)) ? undefined : real;
  }

  #lockFiles(): void {
    for (const lock of LOCK_FILES) if (existsSync(join(this.#root, lock))) this.#file(join(this.#root, lock));
  }

  names(): string[] {
    return [...this.#files.keys()].sort();
  }

  /** Names with the digests of the files, or with their identity, to check whether they were touched. */
  text(kind: "digest" | "stamp"): string {
    return framed(...this.names().flatMap((name) => [name, this.#files.get(name)?.[kind] ?? ""]));
  }
}

function readPart(path: string, maxBytes: number, name: string): { bytes: Buffer; stamp: string } {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw cannotCover(`${name} is not a regular file.`);
    if (stats.size > maxBytes) throw cannotCover(`its code has more than ${MAX_BYTES} bytes.`);
    const stamp = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
    return { bytes: readFileSync(fd), stamp };
  } finally {
    closeSync(fd);
  }
}

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

/**
 * Covers the function's name, its file and every project file that it imports, linked packages and lock files; for Python
 * its folder's modules. If an import is computed, the whole folder. Paths are relative: a project can be moved.
 */
export function implementationDigest(
  implementation: Implementation,
  { projectRoot, runtime }: { readonly projectRoot: string; readonly runtime: string },
): ImplementationDigest | { readonly problem: string } {
  if (implementation.kind === "builtin")
    return { ...digestsOf(framed("builtin", implementation.name), runtime), stamp: "", files: [] };
  const { path, file, functionName, language } = implementation;
  const cover = new Cover(canonical(projectRoot));
  try {
    if (language === "python") cover.python(path);
    else cover.script(path);
  } catch (error) {
    if (error instanceof KnackError) return { problem: error.message };
    const { code, path: gone } = error as NodeJS.ErrnoException;
    // Removed, unreadable or moved away between two reads.
    if (code !== undefined) return { problem: `${gone ?? file} cannot be read (${code}).` };
    throw error;
  }
  const text = framed(file, functionName, "files") + cover.text("digest");
  return { ...digestsOf(text, runtime), stamp: hash("sha256", cover.text("stamp")), files: cover.names() };
}

function digestsOf(text: string, runtime: string): Pick<ImplementationDigest, "digest" | "sources"> {
  const sources = hash("sha256", text);
  return { digest: hash("sha256", framed("run by", runtime, sources)), sources };
}

interface OwnPackage {
  readonly path: string;
  readonly folder: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** One that cannot be read, or is not JSON, maps nothing. */
function readJson(path: string): OwnPackage["json"] {
  const content = readRegularFile(path, MAX_BYTES, true);
  const value = "fault" in content ? undefined : parseJson(content.bytes.toString("utf8"));
  return isRecord(value) ? value : {};
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

function fromUrl({ pathname }: URL): string {
  // Not a path that a file can have, otherwise.
  return tryOr(() => fileURLToPath(`file://${pathname}`), "");
}

function realPath(path: string): string | undefined {
  return tryOr(() => realpathSync(path), undefined);
}

const FROM = /(?<![\w.])from[ \t]+(\.*)[ \t]*(?!import(?!\w))([\w.]*)/g;
const IMPORT = /(?<![\w.])import[ \t]+([\w., \t]+)/g;
const COMPUTED_PYTHON = /(?<!\w)(?:importlib|__import__|runpy|pkgutil|zipimport|exec|eval)(?!\w)/;
const PYTHON_ENDINGS = [".py", ".pyc", ".so", ".pyd"];

/** What a Python file may import; a comment counts too. `folders` is where Python looks for modules. */
function pythonImportsOf(text: string, file: string, folders: readonly string[]): Set<string> {
  const joined = text.replace(/\\\r?\n/g, " ");
  const places: string[] = [];
  for (const [, dots = "", name = ""] of joined.matchAll(FROM)) {
    // One dot is the file's own folder, each more the folder above.
    const base = resolve(dirname(file), ...Array<string>(Math.max(0, dots.length - 1)).fill(".."));
    if (dots === "") places.push(...folders.flatMap((folder) => placesOf(folder, name)));
    else places.push(...(name === "" ? [base] : placesOf(base, name)));
  }
  for (const [, list = ""] of joined.matchAll(IMPORT))
    for (const part of list.split(",")) {
      const name = part.trim().split(/\s/)[0] ?? "";
      places.push(...folders.flatMap((folder) => placesOf(folder, name)));
    }
  return new Set(places);
}

/** A module's file or its package's folder, with the file or `__init__.py` of every parent package. */
function placesOf(base: string, name: string): string[] {
  const parts = name.split(".").filter((part) => part !== "");
  const found: string[] = [];
  for (const [index] of parts.entries()) {
    const place = join(base, ...parts.slice(0, index + 1));
    const isLast = index === parts.length - 1;
    const candidates = [
      ...PYTHON_ENDINGS.map((ending) => place + ending),
      ...(isLast ? [place] : PYTHON_ENDINGS.map((ending) => join(place, `__init__${ending}`))),
    ];
    found.push(...candidates.filter((candidate) => existsSync(candidate)));
  }
  return found;
}
