import { GuestPool, PARSING } from "@knack/engine/internal/guests";
import type { RunOptions } from "./run.ts";

/** Starts the process that a built-in skill parses its file in, while the code that asks for it is still being loaded. */
export function startGuest(skill: string, { input = [], explain = false }: RunOptions): GuestPool {
  const guests = new GuestPool(false);
  if (PARSING.has(skill) && input.length > 0 && !explain) guests.expect(input[0] ?? "");
  return guests;
}
