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

/** Any change of content changes one of these: mtime can be set back, ctime cannot. A list, because it is stored faster. */
export type Identity = readonly [dev: number, ino: number, size: number, mtimeMs: number, ctimeMs: number];

export function identityOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): Identity {
  return [dev, ino, size, mtimeMs, ctimeMs];
}

export interface Folder {
  readonly path: string;
  readonly parent: Folder | null;
  /** `null` where it could not be looked at. */
  readonly identity: Identity | null;
  readonly skill: ScannedFile | null;
  /** `null` where it must be read again. */
  readonly skillIdentity: Identity | null;
  /** Names of links, which are checked each time: their targets change elsewhere. */
  readonly links: readonly string[];
  readonly faults: readonly Fault[];
  /** Of a folder `agents`: what its `openai.yaml` says of the skill above. */
  readonly agent: ScannedAgent | null;
}

export interface ScannedAgent extends AgentFile {
  readonly identity: Identity | null;
}

/** A scanned tree: later, time stamps tell what changed in it. */
export interface Tree {
  /** When the scan that made it began. */
  readonly seenAt: number;
  /** Parents before children, siblings in the order of their names. */
  readonly folders: readonly Folder[];
  /** How many folders the index on disk may have in an older state. */
  readonly unsaved: number;
}

export function isSkillFolder({ skill, links }: Folder): boolean {
  return skill !== null || links.includes("SKILL.md");
}

export function isUnchanged(before: Identity | null, now: Stats, seenAt: number): boolean {
  if (!before) return false;
  const [dev, ino, size, mtimeMs, ctimeMs] = before;
  return (
    ctimeMs === now.ctimeMs &&
    mtimeMs === now.mtimeMs &&
    ino === now.ino &&
    dev === now.dev &&
    size === now.size &&
    isOlderThanTick(now.mtimeMs, now.ctimeMs, seenAt)
  );
}

/** Names one state of a file. As bytes, because fractions are slow to print. */
export function markOf(identity: Identity | null): string {
  return identity ? Buffer.from(Float64Array.from(identity).buffer).toString("base64") : "";
}

/** Device and inode: one folder, whatever path leads to it. */
export function folderKey(identity: Identity | null): string {
  return identity ? `${identity[0]}:${identity[1]}` : "";
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
  const [mine, other] = [a, b].map(({ path, identity, skill, skillIdentity, links, faults, agent }) => {
    return [path, identity, skill, skillIdentity, links, faults, agent];
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

/** In arrays: thousands of small objects would keep the garbage collector busy for longer than the scan takes. */
interface Columns {
  readonly seenAt: number;
  /** For each folder: the path of its `SKILL.md` (there or not), id, name, description. */
  readonly texts: string;
  readonly ends: Uint32Array;
  readonly parents: Int32Array;
  /** Five numbers of each folder and five of its `SKILL.md`. */
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

/** A folder of an index; its values are made when they are asked for. */
class KeptFolder implements Folder {
  readonly #columns: Columns;
  readonly #place: number;
  readonly parent: Folder | null;

  constructor(columns: Columns, place: number, parent: Folder | null) {
    this.#columns = columns;
    this.#place = place;
    this.parent = parent;
  }

  get path(): string {
    return this.#text(0, FILE.length);
  }

  get identity(): Identity | null {
    return this.#identity(10 * this.#place);
  }

  get skillIdentity(): Identity | null {
    return this.#identity(10 * this.#place + 5);
  }

  get skill(): ScannedFile | null {
    const id = this.#text(1);
    if (id === "") return null;
    const { dialect, facts, faults } = this.#more.ofSkill;
    return {
      id,
      path: this.#text(0),
      dialect,
      name: this.#text(2),
      description: this.#text(3),
      facts,
      faults,
    };
  }

  get links(): readonly string[] {
    return this.#more.links;
  }

  get faults(): readonly Fault[] {
    return this.#more.faults;
  }

  get agent(): ScannedAgent | null {
    return this.#more.agent;
  }

  get #more(): More {
    return this.#columns.more.get(this.#place) ?? NO_MORE;
  }

  #text(kind: number, less = 0): string {
    const { texts, ends } = this.#columns;
    const at = 4 * this.#place + kind;
    return texts.slice(ends[at - 1] ?? 0, ends[at]! - less);
  }

  #identity(at: number): Identity | null {
    const { stamps } = this.#columns;
    return Number.isNaN(stamps[at])
      ? null
      : [stamps[at]!, stamps[at + 1]!, stamps[at + 2]!, stamps[at + 3]!, stamps[at + 4]!];
  }
}

/** Whether it is of an index, so that its values are made anew each time. */
export function isKept(folder: Folder): boolean {
  return folder instanceof KeptFolder;
}

/** `null` where there is no good index. What it says is checked against the files. */
export function loadIndex(file: string, top: string): Tree | null {
  return loadWhole(file, MAGIC, (content) => {
    const columns = deserialize(content) as Columns;
    const folders: Folder[] = [];
    for (const parent of columns.parents)
      folders.push(new KeptFolder(columns, folders.length, folders[parent] ?? null));
    // A copied index is whole, but about another tree.
    return folders[0]?.path === top ? { seenAt: columns.seenAt, folders, unsaved: 0 } : null;
  });
}

/** A full or read-only disk is a fault; everything works without an index. */
export function saveIndex(file: string, { seenAt, folders }: Tree): Fault | undefined {
  const texts: string[] = [];
  const ends = new Uint32Array(4 * folders.length);
  const stamps = new Float64Array(10 * folders.length).fill(Number.NaN);
  const more = new Map<number, More>();
  const places = new Map<Folder | null, number>();
  let end = 0;
  for (const [place, folder] of folders.entries()) {
    const { path, identity, skill, skillIdentity, links, faults, agent } = folder;
    places.set(folder, place);
    for (const text of [path + FILE, skill?.id ?? "", skill?.name ?? "", skill?.description ?? ""])
      ends[texts.push(text) - 1] = end += text.length;
    if (identity) stamps.set(identity, 10 * place);
    if (skillIdentity) stamps.set(skillIdentity, 10 * place + 5);
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
