import { randomUUID } from "node:crypto";
import { KnackError } from "@knack/core/text";
import type pg from "pg";
import { POSTGRES_SCHEMA, SCHEMA_VERSION } from "../schema.ts";
import { sharedSessionError } from "./postgres-errors.ts";
import { borrow, inTransaction } from "./postgres-transaction.ts";
import type { PostgresAddress } from "./postgres-url.ts";

/** Versions before 13 do not have the functions that are used; 15 is the oldest that is tested. */
const OLDEST_SERVER = 150_000;

/** Creates the tables in one transaction, under a lock: one of many processes does it while the others wait. */
export async function createTables(pool: pg.Pool, { schema, shown }: PostgresAddress): Promise<void> {
  await borrow(pool, async (client) => {
    const session = await refuseOldServer(client, shown);
    // Without a pooler in between, a connection has the session that it was promised. The driver's types do not have it.
    if ("processID" in client && client.processID !== session)
      await refuseSharedSessions(pool, client, shown);
    if (await hasTables(client, schema, shown)) return;
    await changeSchema(client, schema, async () => {
      // Another process may have created them first.
      if (await hasTables(client, schema, shown)) return;
      await ensureSchema(client, schema);
      for (const statement of POSTGRES_SCHEMA) await client.query(statement);
    });
  });
}

/** Creates a schema once, even if several processes start together. A role that cannot create schemas can use an existing one. */
export async function createSchema(pool: pg.Pool, schema: string): Promise<void> {
  if (await hasSchema(pool, schema)) return;
  await borrow(pool, (client) => changeSchema(client, schema, () => ensureSchema(client, schema)));
}

/** In one transaction, by one process at a time. */
function changeSchema(client: pg.ClientBase, schema: string, change: () => Promise<void>): Promise<void> {
  const begin = "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0";
  return inTransaction(client, begin, async () => {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`knack schema ${schema}`]);
    await change();
  });
}

async function hasTables(client: pg.ClientBase, schema: string, shown: string): Promise<boolean> {
  // By the catalog: `to_regclass` may still remember that a table was not there before this process waited for a lock.
  const tables = await client.query(
    "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'",
    [schema],
  );
  if (tables.rows.length === 0) return false;
  if (!tables.rows.some(({ relname }) => relname === "schema_migrations"))
    throw new KnackError(
      "FOREIGN",
      `${shown}: the schema "${schema}" has tables that are not Knack's. Choose another in store.url: ?schema=name.`,
    );
  const { rows } = await client.query(`SELECT max(version) AS version FROM "${schema}".schema_migrations`);
  const version = Number(rows[0]?.version);
  if (version > SCHEMA_VERSION)
    throw new KnackError(
      "NEWER",
      `${shown}: a newer Knack has used this database (schema ${version}; this version supports ${SCHEMA_VERSION}). Update Knack on this machine.`,
    );
  return true;
}

/** `CREATE SCHEMA IF NOT EXISTS` needs the right to create schemas even if the schema exists, so this checks first. */
async function ensureSchema(client: pg.ClientBase, schema: string): Promise<void> {
  if (!(await hasSchema(client, schema))) await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
}

async function hasSchema(client: pg.ClientBase | pg.Pool, schema: string): Promise<boolean> {
  const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  return rows.length > 0;
}

/** Throws where another connection sees what was set for the session of this one. */
async function refuseSharedSessions(pool: pg.Pool, client: pg.ClientBase, shown: string): Promise<void> {
  const mark = randomUUID();
  const markOf = async (one: pg.ClientBase): Promise<unknown> =>
    (await one.query("SELECT current_setting('knack.session', true) AS mark")).rows[0]?.mark;
  await client.query(`SET knack.session = '${mark}'`);
  const isShared = (await borrow(pool, markOf)) === mark || (await markOf(client)) !== mark;
  if (isShared) throw sharedSessionError(shown);
}

/** Returns the number of the session. */
async function refuseOldServer(client: pg.ClientBase, shown: string): Promise<number> {
  const { rows } = await client.query(
    "SELECT current_setting('server_version_num')::int AS version, pg_backend_pid() AS session",
  );
  const version = Number(rows[0]?.version);
  if (version < OLDEST_SERVER)
    throw new KnackError(
      "IO",
      `${shown}: PostgreSQL 15 or newer is required; this server is ${Math.floor(version / 10_000)}.`,
    );
  return Number(rows[0]?.session);
}
