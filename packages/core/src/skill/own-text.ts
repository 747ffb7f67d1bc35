import type { Fault } from "../shared/diagnostics.ts";
import type { SkillFacts } from "./schema.ts";

/** V8 copies a substring only below this length; a longer one keeps the whole string in memory. */
const SLICED_FROM = 13;

/** A copy of the text, so that a description does not keep its whole file in memory. */
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
  // In place: nothing else uses the value yet, and a map keeps its missing prototype.
  const map = value as Record<string, unknown>;
  for (const key of Object.keys(map)) map[key] = own(map[key]);
  return map;
}
