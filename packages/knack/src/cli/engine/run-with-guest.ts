import { GuestPool, PARSING } from "@knack/engine/internal/guests";
import type { RunOptions } from "./run.ts";

/** Starts the process that a built-in skill parses its file in, then loads the code that needs it: the two take time at once. */
export async function runWithGuest(skill: string, options: RunOptions): Promise<void> {
  const { input = [], explain = false } = options;
  const guests = new GuestPool(false);
  if (PARSING.has(skill) && input.length > 0 && !explain) guests.expect(input[0] ?? "");
  await (await import("./run.ts")).run(skill, options, guests);
}
