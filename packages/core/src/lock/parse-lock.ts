import { isAbsolute, normalize } from "node:path";
import { quote } from "../shared/quote.ts";
import { parseYamlFile, type YamlDocument, type YamlLimits } from "../skill/yaml/yaml-profile.ts";
import { type YamlFault, type YamlPath, YamlReader } from "../skill/yaml/yaml-reader.ts";
import type { YamlMap, YamlValue } from "../skill/yaml/yaml-value.ts";
import { digestOf } from "./digest-skill.ts";
import type { LockPlace } from "./lock-place.ts";
import { lockText } from "./lock-text.ts";
import { readOwnForm } from "./own-form.ts";
import { MAX_KEY, pathFault } from "./path-fault.ts";
import { defaultFolder, type LockedSkill, type SkillLock } from "./skill-lock.ts";

export interface LockProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const LIMITS: YamlLimits = { keys: 20_000, keyLength: MAX_KEY, values: 200_000 };
const KEYS = ["commit", "files", "folder", "path", "ref", "sha256", "source"];
const SHA256 = /^[0-9a-f]{64}$/;
const CONFLICT = /^(?:<{7}|>{7}|\|{7})(?: |$)/m;
const MAX_TEXT = 2_000;

/** The text of a `skills.lock` → what it says, or every problem in it with its line. */
export function parseLock(text: string, place: LockPlace): SkillLock | readonly LockProblem[] {
  const own = readOwnForm(text);
  const lock = own && readLockData({ data: own, lineOf: () => 1 }, place);
  return lock instanceof Map && lockText(lock) === text ? lock : parseAnyLock(text, place);
}

/** The same for a lock that somebody edited or merged. */
export function parseAnyLock(text: string, place: LockPlace): SkillLock | readonly LockProblem[] {
  const { file } = place;
  const conflict = CONFLICT.exec(text);
  if (conflict) {
    const line = text.slice(0, conflict.index).split("\n").length;
    return [
      { file, line, message: 'A merge conflict; resolve it, or run "knack lock" after you have looked.' },
    ];
  }
  const document = parseYamlFile(text, LIMITS);
  if ("fault" in document) return [{ file, line: document.line ?? 1, message: document.message }];
  return readLockData(document, place);
}

function readLockData(
  { data, lineOf }: Pick<YamlDocument, "data" | "lineOf">,
  place: LockPlace,
): SkillLock | readonly LockProblem[] {
  const { file } = place;
  const problems: LockProblem[] = [];
  const report = ({ line, message }: YamlFault): void => void problems.push({ file, line, message });
  const reader = new YamlReader({ lineOf, report });
  reader.keys(data, [], ["version", "skills"]);
  if (data.version !== 1) {
    const found = data.version === undefined ? "nothing" : JSON.stringify(data.version);
    reader.fail(["version"], `"version" must be 1, found ${found}. A newer Knack may have written it.`);
  }
  const lock = new Map<string, LockedSkill>();
  const folders = new Map<string, string>();
  for (const [key, value] of Object.entries(reader.mapping(data.skills, ["skills"]) ?? {})) {
    const locked = new EntryReader(reader, place, key).read(value);
    if (!locked) continue;
    const other = folders.get(locked.folder);
    if (other !== undefined)
      reader.fail(["skills", key], `It has the same folder as ${quote(other)}; keep one.`);
    folders.set(locked.folder, key);
    lock.set(key, locked);
  }
  return problems.length > 0 ? problems : lock;
}

class EntryReader {
  readonly #reader: YamlReader;
  readonly #place: LockPlace;
  readonly #key: string;
  readonly #at: YamlPath;

  constructor(reader: YamlReader, place: LockPlace, key: string) {
    this.#reader = reader;
    this.#place = place;
    this.#key = key;
    this.#at = ["skills", key];
  }

  read(value: YamlValue | undefined): LockedSkill | undefined {
    const map = this.#reader.mapping(value, this.#at, KEYS, { needed: true });
    if (!map) return undefined;
    const folder = this.#folder(map);
    const path = this.#pathText(map, "path");
    if (path !== undefined && path !== ".") this.#check(path, [...this.#at, "path"]);
    const files = this.#files(map);
    const sha256 = this.#digest(map.sha256, [...this.#at, "sha256"]);
    if (files && sha256 !== undefined && digestOf(files) !== sha256)
      return this.#reader.fail(
        [...this.#at, "sha256"],
        `"sha256" of ${quote(this.#key)} is not the digest of its files; run "knack lock ${this.#key}" after you have looked.`,
      );
    if (folder === undefined || !files || sha256 === undefined) return undefined;
    return {
      folder,
      sha256,
      files,
      ...defined({
        source: this.#text(map, "source"),
        ref: this.#text(map, "ref"),
        commit: this.#text(map, "commit"),
        path,
      }),
    };
  }

  #text(map: YamlMap, name: string): string | undefined {
    return this.#reader.text(map[name], [...this.#at, name], { most: MAX_TEXT });
  }

  /** A path may be nothing but spaces. */
  #pathText(map: YamlMap, name: string): string | undefined {
    const value = map[name];
    return typeof value === "string" && value !== "" ? value : this.#text(map, name);
  }

  #folder(map: YamlMap): string | undefined {
    const stated = this.#pathText(map, "folder");
    if (stated === undefined) {
      const fault = this.#key.includes("/") ? "contains a slash" : pathFault(this.#key);
      if (fault === undefined) return defaultFolder(this.#key);
      return this.#reader.fail(this.#at, `The key ${quote(this.#key)} ${fault}, so it needs a "folder".`);
    }
    // Only Knack writes the user's own lock.
    if (this.#place.scope === "user" && isAbsolute(stated) && normalize(stated) === stated) return stated;
    return this.#check(stated, [...this.#at, "folder"]) ? stated : undefined;
  }

  #files(map: YamlMap): ReadonlyMap<string, string> | undefined {
    const at = [...this.#at, "files"];
    const stated = this.#reader.mapping(map.files, at, undefined, { needed: true });
    if (!stated) return undefined;
    const entries = Object.entries(stated).map(([path, value]) => {
      const isSafe = this.#check(path, [...at, path]);
      const digest = this.#digest(value, [...at, path]);
      return isSafe && digest !== undefined ? ([path, digest] as const) : undefined;
    });
    if (!entries.every((entry) => entry !== undefined)) return undefined;
    return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #digest(value: YamlValue | undefined, at: YamlPath): string | undefined {
    const text = this.#reader.text(value, at, { needed: true });
    if (text === undefined || SHA256.test(text)) return text;
    return this.#reader.wrong(at, "64 hexadecimal digits in lower case", text);
  }

  #check(path: string, at: YamlPath): boolean {
    const fault = pathFault(path);
    if (fault !== undefined) this.#reader.fail(at, `The path ${quote(path)} ${fault}.`);
    return fault === undefined;
  }
}

function defined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Partial<T>;
}
