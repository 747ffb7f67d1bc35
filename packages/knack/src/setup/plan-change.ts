import { isDeepStrictEqual } from "node:util";
import { isRecord, KnackError } from "@knack/core/text";

import type { Backup, ServerEntry } from "./client-file.ts";

/**
 * One thing that setup puts into a client's file: under a key of an object, or among the entries of a list, where it is known by
 * what it says.
 */
export interface Member {
  /** The keys that lead to the object or list. */
  readonly path: readonly string[];
  readonly key: string;
  /** In a list: whether an entry is this one. */
  readonly isOurs?: (entry: unknown) => boolean;
  readonly value: unknown;
}

/** The way to a value: keys, and places in lists. */
type Place = readonly (string | number)[];

/** The error for a file that cannot be edited safely, and why; `line` where that is known. */
export type EditFault = (reason: string, line?: number) => KnackError;

/** Reads and changes the text of one syntax. Changes keep everything else as it is, byte for byte. */
export interface Editor {
  readonly fault: EditFault;
  /** What a client reads from it; an empty file is an empty object. */
  parse(text: string): ServerEntry;
  put(text: string, members: readonly Member[], preamble?: ServerEntry): string;
  /** `keeps` says whether an object or list stays although nothing is left in it. */
  drop(text: string, members: readonly Member[], keeps: (path: readonly string[]) => boolean): string;
}

/**
 * Where a member stands: nowhere, in one place, or, in a list, in several. A person can have put ours into a group of hooks with
 * their own: then only ours counts.
 */
export function placesOf(document: ServerEntry, { path, key, isOurs }: Member): Place[] {
  const holder = holderAt(document, path);
  if (!isOurs) return isRecord(holder) && Object.hasOwn(holder, key) ? [[...path, key]] : [];
  if (!Array.isArray(holder)) return [];
  return holder.flatMap((entry, at): Place[] => {
    if (isOurs(entry)) return [[...path, at]];
    const inner = isRecord(entry) && Array.isArray(entry.hooks) ? entry.hooks : [];
    return inner.flatMap((one, place) => (isOurs(one) ? [[...path, at, "hooks", place]] : []));
  });
}

export function valueAt(document: ServerEntry, member: Member): unknown {
  const [place] = placesOf(document, member);
  return place && valueIn(document, place);
}

export function holderAt(document: ServerEntry, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (holder, key) => (isRecord(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined),
    document,
  );
}

/** Whether the file has all that setup would write. What the user added to it does not matter. */
export function hasAll(document: ServerEntry, members: readonly Member[]): boolean {
  return members.every((member) => {
    const found = valueAt(document, member);
    if (placesOf(document, member).length > 1) return false;
    const { value: wanted } = member;
    if (!isRecord(wanted) || !isRecord(found)) return isDeepStrictEqual(found, wanted);
    return Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(found[key], value));
  });
}

/** A text is edited without the mark that some editors put before it. */
const BOM = "\ufeff";

interface Before {
  readonly text: string | undefined;
  readonly backups: readonly Backup[];
  readonly editor: Editor;
  readonly preamble?: ServerEntry | undefined;
}

export interface Change {
  /** The new text; `undefined`: no file. */
  readonly text: string | undefined;
  /** What the text was before setup first changed it is still there, as this file or as no file at all. */
  readonly origin?: Backup | "no file";
  /** A backup that is not restored, because something else has changed since. */
  readonly earlier?: Backup;
}

/** What the file becomes. `undefined` where it already has everything. `known` is all that setup could have written before. */
export function planSetup(
  before: Before,
  members: readonly Member[],
  known: readonly Member[],
): Change | undefined {
  const { text, editor, preamble } = before;
  const document = parseText(editor, text);
  // What only another way to reach Knack needs.
  const stale = known.filter((one) => !members.some((member) => isSamePlace(one, member)));
  const isClean = stale.every((member) => placesOf(document, member).length === 0);
  if (isClean && hasAll(document, members)) return undefined;
  const origin = originOf(before, known);
  const base = origin === undefined ? text : origin === "no file" ? undefined : origin.text;
  const next = edit(base, (plain) => {
    const fresh = editor.drop(plain, stale, () => false);
    return editor.put(fresh, members, preamble);
  });
  requireOnly(before, base, next, members, stale);
  return origin === undefined ? { text: next } : { text: next, origin };
}

const isSamePlace = (a: Member, b: Member): boolean =>
  a.key === b.key && a.path.join("\n") === b.path.join("\n");

/** What the file becomes without Knack. `undefined` where it has nothing of it. `restored`: what setup had replaced. */
export function planRemoval(
  before: Before,
  members: readonly Member[],
  restored: readonly Member[] = [],
): Change | undefined {
  const { text, editor, backups } = before;
  const document = parseText(editor, text);
  if (members.every((member) => valueAt(document, member) === undefined)) return undefined;
  const origin = originOf(before, members);
  if (origin !== undefined) return { text: origin === "no file" ? undefined : origin.text, origin };
  // Something else has changed since: only the server goes, and what held it if that came with it.
  const earlier = backups.at(-1);
  const first = earlier ? parseText(editor, earlier.text) : {};
  const next = edit(text, (plain) =>
    editor.put(
      editor.drop(plain, members, (path) => holderAt(first, path) !== undefined),
      restored,
    ),
  );
  requireOnly({ editor }, next, text ?? "", presentIn(document, members));
  const same = backups.find((backup) => backup.text === next);
  if (same) return { text: next, origin: same };
  return earlier ? { text: next, earlier } : { text: next };
}

export function parseText(editor: Editor, text: string | undefined): ServerEntry {
  return editor.parse((text ?? "").replace(BOM, ""));
}

/**
 * The text from before setup: the one that becomes the present text when the present server is put into it. Then undoing
 * restores it byte for byte, and changing the server leaves no traces of the old one.
 */
function originOf(before: Before, members: readonly Member[]): Backup | "no file" | undefined {
  const { text, backups, editor, preamble } = before;
  const present = presentIn(parseText(editor, text), members);
  if (present.length === 0 || text === undefined) return undefined;
  const becomesText = (base: string | undefined): boolean => {
    try {
      // A copy of a file that was set up already is from before a change, not from before setup.
      const document = parseText(editor, base);
      if (members.some((one) => one.isOurs && placesOf(document, one).length > 0)) return false;
      return edit(base, (plain) => editor.put(plain, present, preamble)) === text;
    } catch (error) {
      if (error instanceof KnackError) return false; // Not a text that setup could have changed.
      throw error;
    }
  };
  return (
    backups.findLast((backup) => becomesText(backup.text)) ?? (becomesText(undefined) ? "no file" : undefined)
  );
}

/** The members with the values that they have now. */
function presentIn(document: ServerEntry, members: readonly Member[]): Member[] {
  return members.flatMap((member) => {
    const value = valueAt(document, member);
    return value === undefined ? [] : [{ ...member, value }];
  });
}

function edit(text: string | undefined, change: (plain: string) => string): string {
  const given = text ?? "";
  return given.startsWith(BOM) ? BOM + change(given.slice(1)) : change(given);
}

/** Nothing but the members, and those that went, may differ between two texts, as a client reads them. */
function requireOnly(
  { editor, preamble = {} }: Pick<Before, "editor" | "preamble">,
  without: string | undefined,
  withThem: string,
  members: readonly Member[],
  stale: readonly Member[] = [],
): void {
  const before = parseText(editor, without);
  const after = parseText(editor, withThem);
  const isThere = members.every((member) => isDeepStrictEqual(valueAt(after, member), member.value));
  const rest = (document: ServerEntry): unknown => [...members, ...stale].reduce(withoutMember, document);
  // An empty file may become a new one.
  const bases = Object.keys(before).length === 0 ? [before, preamble] : [before];
  if (isThere && bases.some((base) => isDeepStrictEqual(rest(base), rest(after)))) return;
  throw editor.fault("Knack cannot change only its own entry in this file");
}

/** The document without a member, and without what held it if that is empty then. */
function withoutMember(document: ServerEntry, member: Member): ServerEntry {
  const copy = structuredClone(document);
  for (const place of placesOf(copy, member).toReversed()) remove(copy, place);
  for (let { path } = member; path.length > 0; path = path.slice(0, -1)) {
    const holder = holderAt(copy, path);
    if (holder === undefined) continue;
    if (typeof holder !== "object" || holder === null || Object.keys(holder).length > 0) break;
    remove(copy, path);
  }
  return copy;
}

function remove(document: ServerEntry, place: Place): void {
  const holder = valueIn(document, place.slice(0, -1)) as Record<string | number, unknown>;
  const last = place.at(-1) ?? "";
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
}

const valueIn = (document: ServerEntry, place: Place): unknown =>
  place.reduce<unknown>((holder, step) => (holder as Record<string | number, unknown>)[step], document);
