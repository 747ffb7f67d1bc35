import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { KnackError } from "@knack/core/text";
import pg from "pg";
import type { Database, Parameter, TransactionOptions } from "../database.ts";
import { type Executed, Line, Statements, TransactionHandle, traced } from "../line.ts";
import { isConflict, isConnectionLost, retryLost, storeErrorOf } from "./postgres-errors.ts";
import { createTables } from "./postgres-migrate.ts";
import { borrow, PostgresStatements, query } from "./postgres-transaction.ts";
import { type PostgresAddress, parsePostgresUrl } from "./postgres-url.ts";

/** PostgreSQL's types for count(*), sum() and BIGINT, which the driver returns as text. */
const INT8 = 20;
const NUMERIC = 1700;

/** Each waits for one statement at a time, so a few serve many runs. */
const MAX_CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;

/** The server ends a session that hangs, as it holds locks. The client's longer limit is for a server that is silent. */
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

/** What of the driver's connection counts here; its types do not have it. */
interface Connecting {
  readonly connection: {
    readonly stream: { readonly authorized?: boolean; destroy(): void };
    emit(event: "error", error: Error): void;
  };
  _connecting: boolean;
  _handleAuthCleartextPassword(message: unknown): void;
  _handleErrorMessage(message: pg.DatabaseError): void;
}

/**
 * Gives the password itself only to a server that a certificate has proven: anybody can listen in its place and ask. Closes a
 * connection that the server has given up, because a server, or a proxy before it, may leave it open, and a process waits for it.
 */
export class CarefulClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const own = this as unknown as Connecting;
    const answer = own._handleAuthCleartextPassword.bind(this);
    own._handleAuthCleartextPassword = (message) => {
      if (own.connection.stream.authorized) return answer(message);
      const reason =
        "the server asks for the password in clear, which anybody on the way could read. Use scram-sha-256 there, or sslmode=verify-full";
      own.connection.emit("error", new KnackError("IO", reason));
    };
    const tell = own._handleErrorMessage.bind(this);
    own._handleErrorMessage = (message) => {
      // A server may say the severity in its own language.
      const isSevere = /^(?:FATAL|PANIC)$/.test(message.severity ?? "");
      const isEnd = own._connecting || isSevere || isConnectionLost(message);
      tell(message);
      if (isEnd) own.connection.stream.destroy();
    };
  }
}

/** Connections whose statements find Knack's tables without naming the schema. */
function openPool({ connectionString, schema }: PostgresAddress, limitMs = Infinity): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    Client: CarefulClient,
    application_name: "knack",
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, limitMs),
    query_timeout: Math.min(QUERY_TIMEOUT_MS, limitMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    types,
    onConnect: async (client) => {
      // One in use that breaks fails its next statement too; without a listener the process would end.
      client.on("error", () => undefined);
      await client.query(`${SESSION}; SET search_path = "${schema}"`);
    },
  });
  // An idle connection that the server closes is replaced at the next use.
  pool.on("error", () => undefined);
  return pool;
}

/** A restart or a failover takes some seconds. */
const PATIENCE_MS = 30_000;
/** Who starts a command and has the wrong address should hear of it sooner. */
const OPENING_MS = 15_000;
const MAX_CONFLICTS = 5;

export interface PostgresOptions {
  /** How long a call waits for a database that is away. */
  readonly patienceMs?: number;
  /** No step takes longer, and nothing is tried again. */
  readonly limitMs?: number | undefined;
  readonly tell?: ((line: string) => void) | undefined;
}

export interface PostgresDatabase extends Database {
  /** The time of the server, as of the last transaction, continued by this process's monotonic clock. */
  now(): Date;
  readonly address: PostgresAddress;
  readonly pool: pg.Pool;
}

export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<PostgresDatabase> {
  const { limitMs, patienceMs = limitMs === undefined ? PATIENCE_MS : 0 } = options;
  const address = parsePostgresUrl(url);
  const pool = openPool(address, limitMs);
  try {
    const onWait = (): void =>
      options.tell?.(`Waiting for the database ${address.shown}, which does not answer.`);
    await retryLost(Math.min(patienceMs, OPENING_MS), () => createTables(pool, address), onWait);
    const db = new PooledDatabase(pool, address, patienceMs);
    await db.readClock();
    return db;
  } catch (error) {
    await pool.end();
    throw storeErrorOf(error, address.shown);
  }
}

/**
 * Writers wait in a line, then for a lock that all processes share: the log needs serial transactions. Reads wait for the
 * writes asked for before them, then use any connection. A transaction with a key waits only for its key.
 */
class PooledDatabase extends Statements implements PostgresDatabase {
  readonly pool: pg.Pool;
  readonly address: PostgresAddress;
  readonly #patienceMs: number;
  /** Two numbers that no other lock of the database has: the schema, and what is locked in it. */
  readonly #lockSpace: number;
  readonly #line = new Line();
  #clock = { server: Date.now(), at: performance.now() };

  constructor(pool: pg.Pool, address: PostgresAddress, patienceMs: number) {
    super();
    this.pool = pool;
    this.address = address;
    this.#patienceMs = patienceMs;
    this.#lockSpace = lockNumber(`knack ${address.schema}`);
  }

  now(): Date {
    return new Date(this.#clock.server + performance.now() - this.#clock.at);
  }

  async readClock(): Promise<void> {
    await this.#lent((client) => client.query(CLOCK).then((result) => this.#setClock(result)));
  }

  async execute(sql: string, parameters?: readonly Parameter[]): Promise<Executed> {
    this.#line.check();
    await this.#line.idle;
    return this.#translated(() => this.#lent((client) => query(client, sql, parameters)));
  }

  override run(sql: string, parameters?: readonly Parameter[]): Promise<{ readonly changes: number }> {
    return this.transaction((tx) => tx.run(sql, parameters));
  }

  transaction<T>(work: (tx: Database) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { key, exclusive = key === undefined } = options;
    const locks = [...(exclusive ? [0] : []), ...(key === undefined ? [] : [lockNumber(key) || 1])];
    const attempt = (): Promise<T> => this.#translated(() => this.#transact(work, locks));
    return traced("postgresql", options, async () => {
      if (exclusive) return this.#line.turn(attempt);
      this.#line.check();
      return attempt();
    });
  }

  /** Each commit waits for the server's disk. */
  async flush(): Promise<void> {
    await this.#line.turn(() => undefined);
  }

  close(): Promise<void> {
    return this.#line.close(() => this.pool.end());
  }

  /** Does the work until it is known to be committed, or known not to be and not worth another try. */
  async #transact<T>(work: (tx: Database) => Promise<T>, locks: readonly number[]): Promise<T> {
    for (let conflicts = 0; ; ) {
      try {
        const done = await retryLost(this.#patienceMs, () => this.#once(work, locks));
        return done.result;
      } catch (error) {
        if (!isConflict(error) || ++conflicts > MAX_CONFLICTS) throw error;
        await wait(Math.random() * 20 * conflicts);
      }
    }
  }

  async #once<T>(
    work: (tx: Database) => Promise<T>,
    locks: readonly number[],
  ): Promise<{ readonly result: T }> {
    const client = await this.pool.connect();
    let broken: unknown;
    try {
      // One round trip. The clock is read when the locks are held.
      const begun = (await client.query(
        `BEGIN; ${locks.map((lock) => `SELECT pg_advisory_xact_lock(${this.#lockSpace}, ${lock});`).join(" ")} ${CLOCK}`,
      )) as unknown as pg.QueryResult[];
      const { id } = this.#setClock(begun.at(-1) as pg.QueryResult);
      const statements = new PostgresStatements(client);
      let result: T;
      try {
        result = await this.#line.inside(new TransactionHandle(statements), work);
      } catch (error) {
        // What the work made of the database's error does not say whether another try helps.
        const { failure } = statements;
        if (failure !== undefined && (isConnectionLost(failure) || isConflict(failure))) throw failure;
        throw error;
      }
      try {
        await client.query("COMMIT");
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        broken = error;
        if (!(await this.#isCommitted(id, error))) throw error;
      }
      return { result };
    } catch (error) {
      broken ??= isConnectionLost(error) ? error : undefined;
      if (broken === undefined)
        await client.query("ROLLBACK").catch((reason: unknown) => {
          broken = reason;
        });
      throw error;
    } finally {
      client.release(broken !== undefined);
    }
  }

  /** Whether a transaction that was cut off at its commit took place: the server keeps that, also across a restart. */
  async #isCommitted(id: string, lost: unknown): Promise<boolean> {
    const end = performance.now() + this.#patienceMs;
    for (;;) {
      const status = await this.#lent((client) =>
        client.query("SELECT pg_xact_status($1::xid8) AS status", [id]),
      ).catch(() => undefined);
      const found: unknown = status?.rows[0]?.status;
      if (found === "committed") return true;
      if (found === "aborted") return false;
      if (performance.now() > end)
        throw new KnackError(
          "IO",
          `${this.address.shown}: the connection was lost while something was being recorded, and the database could not be asked whether it was. Look at "knack runs" before you try again.`,
          { cause: lost instanceof Error ? lost.message : undefined },
        );
      await wait(100);
    }
  }

  #setClock(result: pg.QueryResult): { readonly id: string } {
    const { ms, id } = result.rows[0] as { ms: number; id: string };
    this.#clock = { server: ms, at: performance.now() };
    return { id };
  }

  #lent<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    return retryLost(this.#patienceMs, () => borrow(this.pool, work));
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeErrorOf(error, this.address.shown);
    }
  }
}

/** The server's time, and the number of the transaction, by which its end can be asked for. */
const CLOCK =
  "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms, pg_current_xact_id()::text AS id";

function lockNumber(text: string): number {
  return Buffer.from(hash("sha256", text, "hex").slice(0, 8), "hex").readInt32BE();
}
