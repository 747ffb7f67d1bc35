import { randomUUID } from "node:crypto";
import { StoreError } from "../store-error.ts";
import { passwordFromFile } from "./password-file.ts";

/** Whether `store.url` names a PostgreSQL database. */
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
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new StoreError(
      "IO",
      "store.url is not a valid address. Write postgres://user@host:5432/database, and put the password into PGPASSWORD or a password file.",
    );
  }
  const schema = parsed.searchParams.get("schema") ?? DEFAULT_SCHEMA;
  if (!SCHEMA_NAME.test(schema) || schema.startsWith("pg_"))
    throw new StoreError(
      "IO",
      "The schema in store.url is not valid: use lower-case letters, digits and _, at most 50, not beginning with a digit or pg_.",
    );
  parsed.searchParams.delete("schema");
  // The driver verifies the certificate in these modes too, and warns that it will stop to: say what is meant.
  if (VERIFIED.has(parsed.searchParams.get("sslmode") ?? ""))
    parsed.searchParams.set("sslmode", "verify-full");
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
  try {
    return shownUrl(new URL(url));
  } catch {
    return "postgres://…";
  }
}
