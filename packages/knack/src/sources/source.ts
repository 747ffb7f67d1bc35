import type { KnackError } from "@knack/core";
import { executionError } from "../options.ts";

export type Source = GitSource | FolderSource | ArchiveSource | NpmSource;

export interface GitSource {
  readonly kind: "git";
  /** As git is given it; it may have a password in it. */
  readonly url: string;
  /** Branch, tag or commit; the repository's default branch where it is null. */
  readonly ref: string | null;
  readonly path: string;
  /** Of a pasted address: a ref and a path with nothing that divides them, because both may have slashes. */
  readonly refAndPath?: readonly string[];
  /** It was written as owner/repo. */
  readonly isShort?: boolean;
  /** Of `owner/repo@skill`: the one that is wanted. */
  readonly skill?: string;
}

export interface FolderSource {
  readonly kind: "folder";
  readonly path: string;
}

export interface ArchiveSource {
  readonly kind: "archive";
  readonly location: string;
  readonly isUrl: boolean;
}

export interface NpmSource {
  readonly kind: "npm";
  readonly name: string;
  readonly version: string | null;
}

const SECRET = /token|secret|passw|auth|key|signature|^sig$|credential/i;

/** The source without anything secret: for the lock and for every output. */
export function publicName(source: Source): string {
  switch (source.kind) {
    case "git":
      return publicUrl(source.url);
    case "folder":
      return source.path;
    case "archive":
      return source.isUrl ? publicUrl(source.location) : source.location;
    case "npm":
      return `npm:${source.name}`;
  }
}

export function publicUrl(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  if (!URL.canParse(text)) return text.replace(/(?<=:\/\/)[^/]*@/, "");
  const url = new URL(text);
  const hasSecret = [...url.searchParams.keys()].some((name) => SECRET.test(name));
  if (url.username === "" && url.password === "" && !hasSecret) return text;
  if (!url.protocol.includes("ssh")) url.username = "";
  url.password = "";
  if (hasSecret) url.search = "";
  return url.href;
}

export function withoutSecrets(text: string, source: Source): string {
  const address = source.kind === "git" ? source.url : source.kind === "archive" ? source.location : "";
  const whole = address === "" ? text : text.replaceAll(address, publicUrl(address));
  return whole.replaceAll(/(?<=:\/\/)[^/\s@'"]*:[^/\s@'"]*@/g, "");
}

export interface FetchPlace {
  /** A fresh folder of Knack's own. */
  readonly scratch: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Whether a person is there whom git may ask for a password. */
  readonly mayAsk: boolean;
}

/** One file or link of a source. Folders are only the paths of what is in them. */
export interface SourceEntry {
  /** With slashes, from the top of the source; as the source says it, so it may be hostile. */
  readonly path: string;
  readonly kind: "file" | "link" | "other";
  readonly size: number;
  readonly isExecutable: boolean;
  readonly target?: string;
  /** Of `other`: what it is, for people. */
  readonly what?: string;
  /** The bytes of a file within the limits. */
  read(): Buffer;
}

/** Longer paths belong to no skill; a hostile source could fill the memory with them. */
const MAX_PATH = 1_000;

/** A path as an entry has it. One that is too long is cut, with a mark that no valid path has. */
export function boundedPath(path: string): string {
  // A copy: a part of a text would keep the whole of it in memory.
  return path.length <= MAX_PATH ? path : `${Buffer.from(path.slice(0, MAX_PATH)).toString("utf8")}\ufffd`;
}

export interface Fetched {
  readonly entries: readonly SourceEntry[];
  readonly source: string;
  readonly ref: string | null;
  /** What the ref is now: a commit, the version and integrity of a package, the digest of an archive. */
  readonly commit: string | null;
  readonly path: string;
  /** For a skill at the top of a source that does not say its own name. */
  readonly name: string;
}

const MIB = 1024 * 1024;

/** What a source may be and still be taken. docs/add.md has the same figures. */
export const SOURCE_LIMITS = {
  /** All files of the skills that are taken, together. */
  totalBytes: 256 * MIB,
  fileBytes: 64 * MIB,
  files: 10_000,
  /** Folders above a file, within its skill. */
  depth: 32,
  pathLength: 400,
  /** Files of a whole repository or archive; most of them belong to no skill. */
  entries: 250_000,
  /** What a server sends: a pack of git, an archive. */
  downloadBytes: 512 * MIB,
  /** What an archive or a repository unpacks to, with the parts that no skill needs. */
  unpackedBytes: 2_048 * MIB,
  skillFileBytes: 1 * MIB,
  milliseconds: 10 * 60 * 1000,
} as const;

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let value = bytes / 1024;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function tooLarge(what: string, limit: number, step = "Nothing was changed."): KnackError {
  return executionError(`${what} more than ${bytesText(limit)}, the limit. ${step}`);
}

export const tooManyFiles = (): KnackError =>
  executionError(`The source has more than ${SOURCE_LIMITS.entries} files.`);
