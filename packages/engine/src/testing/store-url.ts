import { createHash } from "node:crypto";

/**
 * The store of a test's project. The tests of the project "postgres" (vitest.config.ts) run again with this variable set, so
 * that the engine is shown to do the same on both databases.
 */
export function testStoreUrl(projectRoot: string): string {
  const server = process.env.KNACK_TEST_POSTGRES;
  if (server === undefined) return `sqlite:${projectRoot}/.knack/state.db`;
  return `${server}?schema=t${createHash("sha256").update(projectRoot).digest("hex").slice(0, 32)}`;
}

/** For tests about the file of a database. */
export const isOnServer = process.env.KNACK_TEST_POSTGRES !== undefined;
