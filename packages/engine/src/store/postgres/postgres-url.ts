import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { tryOr } from "@knack/core/files";
import { KnackError } from "@knack/core/text";

const NOT_PRIVATE = 0o077;

/** The password in PostgreSQL's password file, by the rules of psql. The driver reads it too, but prints a warning. */
export function passwordFromFile(url: URL, env: NodeJS.ProcessEnv): string | undefined {
  const file = env.PGPASSFILE || join(env.HOME ?? homedir(), ".pgpass");
  const mode = tryOr(() => statSync(file).mode, NOT_PRIVATE);
  if (process.platform !== "win32" && (mode & NOT_PRIVATE) !== 0) return undefined;
  const text = tryOr(() => readFileSync(file, "utf8"), "");
  const wanted = partsOf(url, env);
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const fields = fieldsOf(line);
    const password = fields[4];
    if (password !== undefined && wanted.every((part, place) => ["*", part].includes(fields[place] ?? "")))
      return password;
  }
  return undefined;
}

/** Host, port, database and user as the driver chooses them. */
function partsOf({ hostname, port, pathname, username, searchParams }: URL, env: NodeJS.ProcessEnv) {
  const host = searchParams.get("host") ?? (hostname.replaceAll(/[[\]]/g, "") || env.PGHOST || "localhost");
  const user = decodeURIComponent(username) || env.PGUSER || userInfo().username;
  const database = decodeURIComponent(pathname.slice(1)) || env.PGDATABASE || user;
  return [host.startsWith("/") ? "localhost" : host, port || env.PGPORT || "5432", database, user];
}

function isHere(url: URL, env: NodeJS.ProcessEnv): boolean {
  return /^(?:localhost|127\.[\d.]+|::1)$/.test(partsOf(url, env)[0] ?? "");
}

/** A backslash escapes a colon and a backslash. */
function fieldsOf(line: string): string[] {
  return (line.match(/(?:\\.|[^:\\])+/g) ?? []).map((field) => field.replaceAll(/\\(.)/g, "$1"));
}

export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//i.test(url);
}

export interface PostgresAddress {
  /** For the driver: without the parameters that are Knack's own. May contain a password. */
  readonly connectionString: string;
  /** The schema that holds Knack's tables: one per project where projects share a database. */
  readonly schema: string;
  /** For messages: host, port and database; never a user, a password or a parameter. */
  readonly shown: string;
}

const DEFAULT_SCHEMA = "knack";
const VERIFIED = new Set(["prefer", "require", "verify-ca"]);
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,49}$/;

/** Reads `postgres://user@host:port/database?schema=name`. The password may come from PGPASSWORD or a password file. */
export function parsePostgresUrl(url: string, env = process.env): PostgresAddress {
  const parsed = URL.parse(url);
  if (!parsed)
    throw new KnackError(
      "IO",
      "store.url is not a valid address. Write postgres://user@host:5432/database, and put the password into PGPASSWORD or a password file.",
    );
  const schema = parsed.searchParams.get("schema") ?? DEFAULT_SCHEMA;
  if (!SCHEMA_NAME.test(schema) || schema.startsWith("pg_"))
    throw new KnackError(
      "IO",
      "The schema in store.url is not valid: use lower-case letters, digits and _, at most 50, not beginning with a digit or pg_.",
    );
  parsed.searchParams.delete("schema");
  if (parsed.searchParams.has("options"))
    throw new KnackError(
      "IO",
      'store.url cannot have "options": it would change what Knack\'s statements mean. Remove it.',
    );
  // Without TLS everybody on the way reads the password. The driver verifies the certificate in the other modes too, and
  // warns that it will stop to: say what is meant.
  const mode = parsed.searchParams.get("sslmode") ?? env.PGSSLMODE ?? (isHere(parsed, env) ? "" : "require");
  if (mode !== "") parsed.searchParams.set("sslmode", VERIFIED.has(mode) ? "verify-full" : mode);
  const shown = shownUrl(parsed);
  // A password that cannot be right is refused at once; without any, the driver keeps the connection open for a minute.
  if (parsed.password === "" && env.PGPASSWORD === undefined)
    parsed.password = encodeURIComponent(passwordFromFile(parsed, env) ?? randomUUID());
  return { connectionString: parsed.href, schema, shown };
}

function shownUrl({ host, pathname }: URL): string {
  return `postgres://${host}${pathname}`;
}

/** The address of any store without its user, password and parameters. */
export function shownStore(url: string): string {
  if (!isPostgres(url)) return url;
  const parsed = URL.parse(url);
  return parsed ? shownUrl(parsed) : "postgres://…";
}
