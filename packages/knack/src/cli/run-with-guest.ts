import { GuestPool, PARSING } from "@knack/engine/guests";
import type { CommandOptions } from "./table/table.ts";

/** Starts the process that a built-in skill parses its file in, then loads the code that needs it: the two take time at once. */
export async function runWithGuest(
  skill: string,
  files: readonly string[],
  options: CommandOptions<"run">,
): Promise<void> {
  const [first] = [...files, ...(options.input ?? [])];
  const guests = new GuestPool(false);
  if (PARSING.has(skill) && first !== undefined && !options.explain && !options.queue) guests.expect(first);
  await (await import("./run.ts")).run(skill, files, options, guests);
}
