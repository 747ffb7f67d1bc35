import { isDeepStrictEqual } from "node:util";
import type { SkillError } from "@knack/core";
import type { ServerEntry } from "./clients.ts";

/** One thing that setup puts into a client's file: under a key of an object, or among the entries of a list by its `id`. */
export interface Member {
  /** The keys that lead to the object or list. */
  readonly path: readonly string[];
  readonly key: string;
  readonly isInList?: boolean;
  readonly value: ServerEntry;
}

/** The error for a file that cannot be edited safely, and why; `line` where that is known. */
export type EditFault = (reason: string, line?: number) => SkillError;

/** Reads and changes the text of one syntax. Changes keep everything else as it is, byte for byte. */
export interface Editor {
  readonly fault: EditFault;
  /** What a client reads from it; an empty file is an empty object. */
  parse(text: string): ServerEntry;
  put(text: string, members: readonly Member[], preamble?: ServerEntry): string;
  /** `keeps` says whether an object or list stays although nothing is left in it. */
  drop(text: string, members: readonly Member[], keeps: (path: readonly string[]) => boolean): string;
}

/** What stands where a member belongs. */
export function valueAt(document: ServerEntry, { path, key, isInList }: Member): unknown {
  const holder = holderAt(document, path);
  if (isInList)
    return Array.isArray(holder) ? holder.find((one) => isObject(one) && one.id === key) : undefined;
  return isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

export function holderAt(document: ServerEntry, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (holder, key) => (isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined),
    document,
  );
}

/** Whether the file has all that setup would write. What the user added to it does not matter. */
export function hasAll(document: ServerEntry, members: readonly Member[]): boolean {
  return members.every((member) => {
    const found = valueAt(document, member);
    return (
      isObject(found) &&
      Object.entries(member.value).every(([key, value]) => isDeepStrictEqual(found[key], value))
    );
  });
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
