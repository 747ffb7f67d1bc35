import type { Fault } from "../shared/diagnostics.ts";
import type { SkillFacts } from "./schema.ts";

/** The engine copies a part of a string only below this length; a longer one refers to the whole and keeps it alive. */
const SLICED_FROM = 13;

/** The same text in memory of its own, so that a description does not keep its whole file. */
export function ownText(text: string): string {
  if (text.length < SLICED_FROM) return text;
  return text.isWellFormed() ? Buffer.from(text, "utf8").toString("utf8") : text;
}

/** The same for everything that a skill declares. */
export function ownFacts(facts: SkillFacts): SkillFacts {
  return own(facts) as SkillFacts;
}

export function ownFaults(faults: readonly Fault[]): readonly Fault[] {
  return faults.map((fault) => ({ ...fault, message: ownText(fault.message) }));
}

function own(value: unknown): unknown {
  if (typeof value === "string") return ownText(value);
  if (Array.isArray(value)) return value.map(own);
  if (typeof value !== "object" || value === null) return value;
  // In place: what was read has no other owner yet, and a map without a prototype stays one.
  const map = value as Record<string, unknown>;
  for (const key of Object.keys(map)) map[key] = own(map[key]);
  return map;
}
