import { hash } from "node:crypto";
import type { Stats } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { deserialize, serialize } from "node:v8";
import type { Fault } from "../shared/diagnostics.ts";
import { isOlderThanTick } from "../shared/file-stamp.ts";
import { loadWhole, saveParts } from "../shared/stored/parts-file.ts";
import type { AgentFile } from "../skill/agent-file.ts";
import type { Reading } from "../skill/skill-text.ts";

export interface ScannedFile extends Reading {
  readonly id: string;
  readonly path: string;
}

/** Five numbers that tell one state of a file from another. */
export interface Stamped {
  readonly stamps: ArrayLike<number>;
  /** Where they begin. */
  readonly at: number;
}

/** Any change of content changes one of these: mtime can be set back, ctime cannot. */
export function stampsOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): number[] {
  return [dev, ino, size, mtimeMs, ctimeMs];
}

/** The stamps of what could not be looked at: they equal no others. */
export const UNKNOWN: readonly number[] = Array(5).fill(Number.NaN);

/** The stamps of a folder, then those of its `SKILL.md`. Folders of one index share an array, which the garbage collector skips. */
export interface Folder extends Stamped {
  readonly path: string;
  readonly parent: Folder | null;
  readonly skill: ScannedFile | null;
  /** Names of links, which are checked each time: their targets change elsewhere. */
  readonly links: readonly string[];
  readonly faults: readonly Fault[];
  /** Of a folder `agents`: what its `openai.yaml` says of the skill above. */
  readonly agent: ScannedAgent | null;
}

export interface ScannedAgent extends AgentFile {
  readonly stamps: readonly number[];
}

/** A scanned tree: later, time stamps tell what changed in it. */
export interface Tree {
  /** When the scan that made it began. */
  readonly seenAt: number;
  /** Parents before children, siblings in the order of their names. */
  readonly folders: readonly Folder[];
}

export function isSkillFolder({ skill, links }: Folder): boolean {
  return skill !== null || links.includes("SKILL.md");
}

export function isUnchanged(stamps: ArrayLike<number>, at: number, now: Stats, seenAt: number): boolean {
  return (
    stamps[at] === now.dev &&
    stamps[at + 1] === now.ino &&
    stamps[at + 2] === now.size &&
    stamps[at + 3] === now.mtimeMs &&
    stamps[at + 4] === now.ctimeMs &&
    isOlderThanTick(now.mtimeMs, now.ctimeMs, seenAt)
  );
}

/** Names one state of a file. As bytes, because fractions are slow to print. */
export function markOf({ stamps, at }: Stamped): string {
  if (Number.isNaN(stamps[at])) return "";
  const numbers = Float64Array.from(UNKNOWN, (_, i) => stamps[at + i]!);
  return Buffer.from(numbers.buffer).toString("base64");
}

/** Device and inode: one folder, whatever path leads to it. */
export function folderKey({ stamps, at }: Stamped): string {
  return `${stamps[at]}:${stamps[at + 1]}`;
}

/** A file that was read again because it is fresh may say the same. */
export function isSameTree(a: Tree, b: Tree): boolean {
  return (
    a === b ||
    (a.folders.length === b.folders.length &&
      a.folders.every((folder, i) => folder === b.folders[i] || isSameFolder(folder, b.folders[i]!)))
  );
}

/** Without parents, which are compared for themselves. */
function isSameFolder(a: Folder, b: Folder): boolean {
  const [mine, other] = [a, b].map(({ path, stamps, at, skill, links, faults, agent }) => {
    return [path, markOf({ stamps, at }), markOf({ stamps, at: at + 5 }), skill, links, faults, agent];
  });
  return isDeepStrictEqual(mine, other);
}

/** Depends on the canonical path alone. */
export function skillId(path: string): string {
  // Not a slice of the digest in hexadecimal, which would keep the other half in memory.
  return hash("sha256", path, "buffer").toString("hex", 0, 16);
}

/** Counts up whenever reading a skill would give another result or the layout changes. */
const MAGIC = "KNACKIX7";

/** In arrays, which are read faster than thousands of small objects. */
interface Columns {
  readonly seenAt: number;
  /** For each folder: the path of its `SKILL.md` (there or not), id, name, description. */
  readonly texts: string;
  readonly ends: Uint32Array;
  readonly parents: Int32Array;
  /** Ten of each folder. */
  readonly stamps: Float64Array;
  /** By place of a folder: what few folders have. */
  readonly more: ReadonlyMap<number, More>;
}

interface More extends Pick<Folder, "links" | "faults" | "agent"> {
  readonly ofSkill: Pick<ScannedFile, "dialect" | "facts" | "faults">;
}

const NO_MORE: More = {
  links: [],
  faults: [],
  agent: null,
  ofSkill: { dialect: "agentskills", facts: null, faults: [] },
};
const FILE = `${sep}SKILL.md`;

/** `null` where there is no good index. What it says is checked against the files. */
export function loadIndex(file: string, top: string): Tree | null {
  return loadWhole(file, MAGIC, (content) => {
    const { seenAt, texts, ends, parents, stamps, more } = deserialize(content) as Columns;
    const folders: Folder[] = [];
    let count = 0;
    let end = 0;
    const nextText = (): string => {
      const start = end;
      end = ends[count++]!;
      return texts.slice(start, end);
    };
    for (const parent of parents) {
      const path = nextText();
      const id = nextText();
      const name = nextText();
      const description = nextText();
      const { links, faults, agent, ofSkill } = more.get(folders.length) ?? NO_MORE;
      const { dialect, facts, faults: skillFaults } = ofSkill;
      const skill = id === "" ? null : { id, path, dialect, name, description, facts, faults: skillFaults };
      folders.push({
        path: path.slice(0, -FILE.length),
        parent: folders[parent] ?? null,
        stamps,
        at: 10 * folders.length,
        skill,
        links,
        faults,
        agent,
      });
    }
    // A copied index is whole, but about another tree.
    return folders[0]?.path === top ? { seenAt, folders } : null;
  });
}

/** A full or read-only disk is a fault; everything works without an index. */
export function saveIndex(file: string, { seenAt, folders }: Tree): Fault | undefined {
  const texts: string[] = [];
  const ends = new Uint32Array(4 * folders.length);
  const stamps = new Float64Array(10 * folders.length);
  const more = new Map<number, More>();
  const places = new Map<Folder | null, number>();
  let end = 0;
  for (const [place, folder] of folders.entries()) {
    const { path, skill, links, faults, agent } = folder;
    places.set(folder, place);
    for (const text of [path + FILE, skill?.id ?? "", skill?.name ?? "", skill?.description ?? ""])
      ends[texts.push(text) - 1] = end += text.length;
    for (let i = 0; i < 10; i++) stamps[10 * place + i] = folder.stamps[folder.at + i]!;
    const { ofSkill } = NO_MORE;
    const { dialect, facts, faults: skillFaults } = skill ?? ofSkill;
    const kept: More = { links, faults, agent, ofSkill: { dialect, facts, faults: skillFaults } };
    const hasMore = links.length + faults.length + skillFaults.length > 0 || (facts ?? agent) !== null;
    if (hasMore || dialect !== ofSkill.dialect) more.set(place, kept);
  }
  const parents = Int32Array.from(folders, ({ parent }) => places.get(parent) ?? -1);
  const columns: Columns = { seenAt, texts: texts.join(""), ends, parents, stamps, more };
  const failure = saveParts(file, MAGIC, [serialize(columns)]);
  if (failure === undefined) return undefined;
  return {
    fault: "INDEX",
    message: `The index cannot be written (${failure}). Until it can, every start reads all skills.`,
  };
}

/** The user's cache folder for Knack: never the project's. */
export function cacheFolder(
  env: NodeJS.ProcessEnv,
  home: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const xdg = env.XDG_CACHE_HOME;
  // The XDG rules ignore relative paths.
  if (xdg && isAbsolute(xdg)) return join(xdg, "knack");
  if (platform === "darwin") return join(home, "Library", "Caches", "knack");
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "knack", "Cache");
  return join(home, ".cache", "knack");
}

export function searchIndexFile(
  folder: string | null,
  roots: readonly { readonly real: string; readonly dialect: string }[],
): string | null {
  if (folder === null) return null;
  const key = JSON.stringify(roots.map(({ real, dialect }) => [real, dialect]));
  return join(folder, "search", `${hash("sha256", key, "hex").slice(0, 32)}.idx`);
}
