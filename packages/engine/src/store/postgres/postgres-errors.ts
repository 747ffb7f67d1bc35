import { setTimeout as wait } from "node:timers/promises";
import { isStoreError, KnackError, type StoreErrorCode } from "@knack/core/text";

/** SQLSTATE codes (postgresql.org/docs/current/errcodes-appendix.html). */
const UNIQUE = "23505";
const SERIALIZATION = "40001";
const DEADLOCK = "40P01";
const LOCK_TIMEOUT = "55P03";
const TOO_MANY = "53300";

/** After a failover a connection may still lead to the server that only reads now. */
const STANDBY = "25006";

/** The server is not there, goes down, comes up, or cut this session off. */
const GONE = new RegExp(`^(08...|57P0[1235]|25P0[34]|${STANDBY})$`);
const GONE_SYSTEM = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"],
  // Names of containers are known only while these run.
  "ENOTFOUND",
]);
/** The driver's own texts where it gives no code. */
const GONE_TEXT =
  /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|not queryable/i;

/** The driver's text where the server wants a password and nobody has set one. */
const NO_PASSWORD = /client password must be a string/;

function codeOf(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  return inner instanceof Error && "code" in inner && typeof inner.code === "string" ? inner.code : "";
}

/** The connection is lost: another one may work. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (GONE.test(code) || GONE_SYSTEM.has(code)) return true;
  // A socket that is not there yet; the file of a certificate that is missing stays missing.
  if (code === "ENOENT") return (error as NodeJS.ErrnoException).syscall === "connect";
  return code === "" && error instanceof Error && GONE_TEXT.test(error.message);
}

/** The transaction was rolled back because of another one: it may succeed if it is done again. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === SERIALIZATION || code === DEADLOCK || code === UNIQUE;
}

type Meaning = readonly [StoreErrorCode, string];
const REFUSED: Meaning = [
  "IO",
  "the database refused the user or password. Set PGPASSWORD, or use a password file.",
];
const READ_ONLY: Meaning = [
  "READONLY",
  "the database cannot be written. Check the role's permissions, and that this is not a standby.",
];
/** The session lost what was set for it: the schema in which tables are looked for, or its prepared statements. */
const FORGOTTEN: Meaning = [
  "IO",
  "a session of the database does not have what Knack set for it. A pooler before the database must keep sessions (pgbouncer: pool_mode = session), or store.url must name the database itself. Without a pooler, somebody has removed tables.",
];
const LOCKED: Meaning = ["BUSY", "another process kept the database locked for too long. Try again."];

const MEANINGS: Readonly<Record<string, Meaning>> = {
  [TOO_MANY]: ["BUSY", "all connections of the database are in use. Try again, or raise max_connections."],
  "28P01": REFUSED,
  "28000": REFUSED,
  ENOENT: ["IO", "a file that store.url names, such as sslrootcert, does not exist."],
  "3D000": ["IO", "the database does not exist. Create it: createdb."],
  "53100": [
    "DISK_FULL",
    "the disk of the database is full, nothing was recorded. Free some space and try again.",
  ],
  "42P01": FORGOTTEN,
  "26000": FORGOTTEN,
  "42P05": FORGOTTEN,
  [STANDBY]: READ_ONLY,
  "42501": READ_ONLY,
  [LOCK_TIMEOUT]: LOCKED,
  "57014": LOCKED,
  [SERIALIZATION]: LOCKED,
  [DEADLOCK]: LOCKED,
  [UNIQUE]: LOCKED,
};

/** Translates an error of PostgreSQL for the user. Other errors are returned as they are. */
export function storeErrorOf(error: unknown, shown: string): unknown {
  if (isStoreError(error)) return error;
  const code = codeOf(error);
  const gone = `the database cannot be reached (${code || "connection lost"}). Check that it runs and that this machine may connect.`;
  const hasNoPassword = error instanceof Error && NO_PASSWORD.test(error.message);
  const isLost = isConnectionLost(error) && code !== STANDBY;
  const meaning: Meaning | undefined = isLost ? ["IO", gone] : hasNoPassword ? REFUSED : MEANINGS[code];
  // Without the cause: the driver's error may contain parameters.
  return meaning ? new KnackError(meaning[0], `${shown}: ${meaning[1]}`) : error;
}

/** The same for a pooler that was found before it did harm. */
export function sharedSessionError(shown: string): KnackError {
  return new KnackError(FORGOTTEN[0], `${shown}: ${FORGOTTEN[1]}`);
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;
const TELL_AFTER_MS = 1000;

/** Tries again while the database is away or has no connection free. For work that is known not to have been done. */
export async function retryLost<T>(
  patienceMs: number,
  work: () => Promise<T>,
  /** Called once, when somebody may wonder what is waited for. */
  onWait?: () => void,
): Promise<T> {
  let isTold = false;
  let since: number | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      // Where every connection that the server allows is taken, one may become free.
      if (!isConnectionLost(error) && codeOf(error) !== TOO_MANY) throw error;
      since ??= performance.now();
      if (!isTold && performance.now() - since > TELL_AFTER_MS) {
        isTold = true;
        onWait?.();
      }
      if (performance.now() - since + pause > patienceMs) throw error;
      // Many processes lose the database at the same moment, and should not all come back at the same.
      await wait(pause * (0.5 + Math.random()));
    }
  }
}
