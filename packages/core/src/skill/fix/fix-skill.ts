import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import type { Fault } from "../../shared/diagnostics.ts";
import { type FullReading, type Place, parseWholeSkill } from "../parse.ts";
import { removeMark, repairFences } from "./fences.ts";
import { quoteValues } from "./quote-values.ts";
import { nameAsFolder } from "./set-name.ts";

export interface FixedSkill {
  readonly bytes: Buffer;
  /** What was wrong and is not any more, in the order of the fixes. */
  readonly fixed: readonly Fault[];
  /** The names before and after, where the name was another one. */
  readonly renamed?: { readonly from: string; readonly to: string };
}

/** A text in which one kind of fault is gone, or `null` where there is none or more than one way to fix it. */
type Remedy = (text: string, reading: FullReading, place: Place) => string | null;

/** In this order: each can be tried once the text can be read that far. */
const REMEDIES: readonly Remedy[] = [removeMark, repairFences, quoteValues];

/**
 * Fixes every fault of a `SKILL.md` that has exactly one safe remedy, and touches no other byte. Each step is kept only if the file
 * then says the same as before, apart from the name. `renames`: whether a name that differs from the folder's may change.
 * `null` where there is nothing to fix.
 */
export function fixSkill(bytes: Buffer, place: Place, { renames }: { renames: boolean }): FixedSkill | null {
  if (!isUtf8(bytes)) return null;
  const read = (text: string): FullReading => parseWholeSkill(Buffer.from(text, "utf8"), place);
  let text = bytes.toString("utf8");
  let reading = read(text);
  const fixed: Fault[] = [];
  let renamed: FixedSkill["renamed"];
  for (const remedy of renames ? [...REMEDIES, nameAsFolder] : REMEDIES) {
    const next = remedy(text, reading, place);
    if (next === null) continue;
    const after = read(next);
    if (!isSafe(reading, after, remedy === nameAsFolder ? ["name"] : [])) continue;
    fixed.push(...goneFaults(text, next, reading, after));
    const { name } = reading.frontmatter;
    if (remedy === nameAsFolder && typeof name === "string" && name !== "")
      renamed = { from: name, to: after.name };
    [text, reading] = [next, after];
  }
  if (fixed.length === 0) return null;
  return { bytes: Buffer.from(text, "utf8"), fixed, ...(renamed ? { renamed } : {}) };
}

/** Where the file could be read before, it must say the same now, and nothing new may be wrong with it. */
function isSafe(before: FullReading, after: FullReading, changed: readonly string[]): boolean {
  if (!isReadable(before)) return true;
  const others = ({ frontmatter }: FullReading): unknown =>
    Object.entries(frontmatter).filter(([key]) => !changed.includes(key));
  const known = new Set(before.faults.map(({ fault }) => fault));
  return (
    before.body === after.body &&
    isDeepStrictEqual(others(before), others(after)) &&
    after.faults.every(({ fault }) => known.has(fault))
  );
}

/** A file that cannot be read has neither frontmatter nor a body. */
function isReadable({ frontmatter, body }: FullReading): boolean {
  return body !== "" || Object.keys(frontmatter).length > 0;
}

function goneFaults(text: string, next: string, before: FullReading, after: FullReading): Fault[] {
  const left = new Set(after.faults.map(({ fault }) => fault));
  const gone = before.faults.filter(({ fault }) => !left.has(fault));
  if (!text.startsWith(MARK) || next.startsWith(MARK)) return gone;
  const message = "The file begins with a byte order mark, which some clients do not expect.";
  return [{ fault: "BOM", message, line: 1 }, ...gone];
}

const MARK = "\ufeff";
