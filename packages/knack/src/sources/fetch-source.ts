import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { basename, isAbsolute, join, relative, sep } from "node:path";
import { canonical, isInside, kindOf, readRegularFile, systemCode } from "@knack/core/files";
import { quote } from "@knack/core/text";
import { executionError } from "../options.ts";
import {
  type Fetched,
  type FetchPlace,
  type FolderSource,
  SOURCE_LIMITS,
  type Source,
  type SourceEntry,
  tooManyFiles,
} from "./source.ts";

export async function fetchSource(source: Source, place: FetchPlace): Promise<Fetched> {
  switch (source.kind) {
    case "git":
      return (await import("./fetch-git.ts")).fetchGit(source, place);
    case "archive":
      return (await import("./archive.ts")).fetchArchive(source, place);
    case "npm":
      return (await import("./npm.ts")).fetchNpm(source, place);
    case "folder":
      return readFolder(source);
  }
}

/** What a source has now, as a lock's `commit`; null for a folder, which has no versions. An archive must be downloaded for it. */
export async function newestOf(source: Source, place: FetchPlace): Promise<string | null> {
  switch (source.kind) {
    case "git":
      return (await import("./fetch-git.ts")).newestCommit(source, place);
    case "npm":
      return (await import("./npm.ts")).newestVersion(source, place);
    case "archive":
      return (await (await import("./archive.ts")).getArchive(source, place)).commit;
    case "folder":
      return null;
  }
}

/** A folder of this machine; its files stay where they are. */
function readFolder({ path }: FolderSource): Fetched {
  const entries: SourceEntry[] = [];
  list(path, "", entries, [path, canonical(path)]);
  return { entries, source: path, ref: null, commit: null, path: "", name: basename(path).toLowerCase() };
}

function list(folder: string, path: string, into: SourceEntry[], roots: readonly string[]): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw executionError(`${quote(folder)} cannot be read (${systemCode(error)}).`);
  }
  for (const name of names.sort()) {
    // A repository's own data is not even listed: no skill needs it.
    if (name === ".git") continue;
    const file = join(folder, name);
    const below = path === "" ? name : `${path}/${name}`;
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) continue;
    const { size, mode } = stats;
    const common = {
      path: below,
      size,
      isExecutable: (mode & 0o111) !== 0,
      read: () => readFile(file, size),
    };
    if (stats.isDirectory()) list(file, below, into, roots);
    else if (stats.isFile()) into.push({ ...common, kind: "file" });
    else if (stats.isSymbolicLink())
      into.push({ ...common, kind: "link", target: linkTarget(file, path, roots) });
    else into.push({ ...common, kind: "other", what: kindOf(stats) });
    if (into.length > SOURCE_LIMITS.entries) throw tooManyFiles();
  }
}

/** An absolute path that stays in the source, as the link could say it relative to its own folder. */
function linkTarget(file: string, folder: string, roots: readonly string[]): string {
  const target = readlinkSync(file);
  const root = roots.find((one) => isAbsolute(target) && isInside(target, one));
  return root === undefined ? target : relative(join(root, folder), target).split(sep).join("/") || ".";
}

function readFile(file: string, size: number): Buffer {
  const content = readRegularFile(file, size, false);
  if (!("fault" in content)) return content.bytes;
  throw executionError(`${quote(file)} cannot be read (${content.fault}).`);
}
