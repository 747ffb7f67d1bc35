import type { Database } from "./database.ts";

/** Stands for a database that does not exist yet: reading it finds nothing and creates nothing. */
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
