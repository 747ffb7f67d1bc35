import { type Engine, lastSeq, type UseEvent, useEventsAfter } from "@knack/engine";
import { within } from "../within.ts";

/** So many of the newest records are read: a start does not wait for a long log. */
const NEWEST = 2_000;
const PATIENCE_MS = 500;

/** A record of a load: what it says of the skill. A reminder gives no text, and a text in parts is one load. */
export function loadedSkill({ type, payload }: UseEvent): { name?: unknown; path?: unknown } | undefined {
  const data = Object(payload) as Readonly<Record<string, unknown>>;
  return type !== "SKILL_LOADED" || data.already_loaded === true || data.last === false ? undefined : data;
}

/** How often each skill was loaded lately, by its name; of a database that is away or slow, nothing. */
export async function recentLoads(engine: Engine): Promise<ReadonlyMap<string, number>> {
  const read = async (): Promise<ReadonlyMap<string, number>> => {
    const db = await engine.history();
    const uses = new Map<string, number>();
    for (const event of await useEventsAfter(db, (await lastSeq(db)) - NEWEST, NEWEST)) {
      const name = loadedSkill(event)?.name;
      if (typeof name === "string") uses.set(name, (uses.get(name) ?? 0) + 1);
    }
    return uses;
  };
  const none = new Map<string, number>();
  // What is wrong with the database is told by whoever needs it.
  return within(
    PATIENCE_MS,
    read().catch(() => none),
    none,
  );
}
