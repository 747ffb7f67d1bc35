import type { Database } from "./database.ts";

/** Where there is no database yet: nothing has happened, and looking at it makes none. */
export const NO_DATABASE: Database = {
  all: async () => [],
  get: async () => undefined,
  run: refuse,
  transaction: refuse,
  flush: async () => undefined,
  close: async () => undefined,
};

async function refuse(): Promise<never> {
  throw new Error("There is no database to write to.");
}
