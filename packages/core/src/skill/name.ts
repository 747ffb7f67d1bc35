import { dirname } from "node:path";
import { type Fault, type FaultName, faultAt } from "../shared/diagnostics.ts";
import { fold, normalize } from "../shared/fold.ts";
import type { Dialect } from "./dialects.ts";
import { checkLabel, mixesScripts } from "./hidden-text.ts";
import type { SkillMetadata } from "./schema.ts";

const NAME_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Device names that Windows reserves, with or without an extension. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

export function isValidName(name: string): boolean {
  return NAME_PATTERN.test(name) && name.length <= 64 && !WINDOWS_DEVICE.test(name);
}

/** True for nearly every name: valid, and equal to the folder's name. */
export function isPlainName(name: string, folder: string, dialect: Dialect): boolean {
  return isValidName(name) && (name === folder || !dialect.nameEqualsFolder);
}

/** What to do for a skill without a valid name. */
export function howToName(folder: string, { nameEqualsFolder }: Dialect): string {
  if (isValidName(folder)) return `write: name: ${folder}`;
  const words =
    folder
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const name = words.join("-").slice(0, 64).replace(/-$/, "");
  const renamed = nameEqualsFolder ? `rename the folder to ` : "";
  if (isValidName(name)) return `${renamed && `${renamed}${name}, and `}write: name: ${name}`;
  const own = "a name of lowercase letters and digits, joined by single hyphens";
  return renamed ? `${renamed}${own}, and write the same as name.` : `write ${own}.`;
}

export function checkName(name: string, folder: string, dialect: Dialect, line: number | undefined): Fault[] {
  if (isPlainName(name, folder, dialect)) return [];
  const faults: Fault[] = [];
  const add = (fault: FaultName, message: string): void => void faults.push(faultAt(fault, message, line));
  const unsafe =
    /[/\\\u0000]/.test(name) || /^\.+$/.test(name) || name.trim() !== name || WINDOWS_DEVICE.test(name);
  if (unsafe) add("NAME_UNSAFE", `The name ${quote(name)} could be mistaken for a path or a device.`);
  faults.push(...checkLabel("name", name, line));
  if (mixesScripts(name))
    add("CONFUSABLE", `The name ${quote(name)} mixes letters of scripts that look alike.`);
  if (dialect.nameFrom === "folder") return faults;
  const length = [...name].length;
  if (dialect.maxName !== null && length > dialect.maxName)
    add("NAME_TOO_LONG", `The name has ${length} characters; at most ${dialect.maxName} are allowed.`);
  if (!NAME_PATTERN.test(name))
    add(
      "NAME_INVALID",
      `The name ${quote(name)} must be lowercase letters and digits, joined by single hyphens.`,
    );
  if (dialect.nameEqualsFolder && name !== folder && name !== folder.normalize("NFC")) {
    const ways = [
      ...(isValidName(folder) ? [`write: name: ${folder}`] : []),
      ...(isValidName(name) ? [`rename the folder to ${name}`] : []),
    ];
    const next = ways.join(", or ") || howToName(folder, dialect);
    add("NAME_DIR_MISMATCH", `The name ${quote(name)} differs from its folder ${quote(folder)}; ${next}`);
  }
  return faults;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** A skill as a rule or a switch can name it. A typed skill has a name alone. */
export type Named = Pick<SkillMetadata, "name"> &
  Partial<Pick<SkillMetadata, "id" | "path" | "dir" | "scope" | "places">>;

/**
 * For entries that take something away: a name, an id, `scope:name` or an absolute path. Names are folded: missing a skill
 * because of a capital is worse than catching a second one.
 */
export function refersTo(entry: string, skill: Named): boolean {
  return entryMatcher([skill], false)(entry);
}

export function refersToAny(entries: readonly string[], skill: Named): boolean {
  return entries.length > 0 && entries.some(entryMatcher([skill], false));
}

/** Whether an entry means one of these skills. `isGrant`: as `isExactly`. */
export function entryMatcher(skills: readonly Named[], isGrant: boolean): (entry: string) => boolean {
  const words = new Set<string | undefined>();
  for (const { name, id, path, dir, scope, places = [] } of skills) {
    for (const own of [id, path, dir]) words.add(own);
    words.add(isGrant ? normalize(name, "NFC") : fold(name));
    if (isGrant) continue;
    if (scope !== undefined) words.add(`${scope}:${fold(name)}`);
    for (const place of places) words.add(place).add(dirname(place));
  }
  const asCompared = (entry: string): string => (isGrant ? normalize(entry, "NFC") : fold(entry));
  return (entry) => words.has(entry) || (!/[/\\]/.test(entry) && words.has(asCompared(entry)));
}

/** For entries that grant: exact name, id or path. Folding would also grant a skill whose name merely looks the same. */
export function isExactly(entry: string, skill: Named): boolean {
  return entryMatcher([skill], true)(entry);
}
