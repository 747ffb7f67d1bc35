import pg from "pg";
import type { PostgresAddress } from "./postgres-url.ts";

/** PostgreSQL's types for count(*), sum() and BIGINT, which the driver returns as text. */
const INT8 = 20;
const NUMERIC = 1700;

/** Each waits for one statement at a time, so a few serve many runs. */
const MAX_CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A session that hangs holds locks that all others wait for, so the server ends it. The client's own limit is longer: it is
 * for a server that does not answer at all.
 */
const SESSION = [
  "SET idle_in_transaction_session_timeout = '10s'",
  "SET lock_timeout = '30s'",
  "SET statement_timeout = '60s'",
  "SET client_min_messages = warning",
].join("; ");
const QUERY_TIMEOUT_MS = 70_000;

function toNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes(".") ? number : BigInt(text);
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: "text" | "binary") =>
    id === INT8 || id === NUMERIC ? toNumber : pg.types.getTypeParser(id, format),
};

/** Connections whose statements find Knack's tables without naming the schema. */
export function openPool({ connectionString, schema }: PostgresAddress): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: "knack",
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    types,
    onConnect: async (client) => {
      // A connection in use that breaks fails its statement too; without a listener the process would end.
      client.on("error", () => undefined);
      await client.query(`${SESSION}; SET search_path = "${schema}"`);
    },
  });
  // An idle connection that the server closes is replaced at the next use.
  pool.on("error", () => undefined);
  // One that is lost between two statements of a transaction says so here as well; the next statement fails with it.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
