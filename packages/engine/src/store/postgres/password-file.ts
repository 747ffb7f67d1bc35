import { readFileSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";

/** Group and others. */
const NOT_PRIVATE = 0o077;

/**
 * The password for an address in PostgreSQL's password file (`PGPASSFILE`, else `~/.pgpass`), in the form that psql reads:
 * `host:port:database:user:password`, `*` for any. Like psql, ignores a file that others can read. The driver reads the file
 * too, but prints a warning that it will stop doing so.
 */
export function passwordFromFile(url: URL, env: NodeJS.ProcessEnv): string | undefined {
  const file = env.PGPASSFILE || join(env.HOME ?? homedir(), ".pgpass");
  let text: string;
  try {
    const { mode } = statSync(file);
    if (process.platform !== "win32" && (mode & NOT_PRIVATE) !== 0) return undefined;
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
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
function partsOf(
  { hostname, port, pathname, username, searchParams }: URL,
  env: NodeJS.ProcessEnv,
): string[] {
  const host = searchParams.get("host") ?? (hostname.replaceAll(/[[\]]/g, "") || env.PGHOST || "localhost");
  const user = decodeURIComponent(username) || env.PGUSER || userInfo().username;
  const database = decodeURIComponent(pathname.slice(1)) || env.PGDATABASE || user;
  return [host.startsWith("/") ? "localhost" : host, port || env.PGPORT || "5432", database, user];
}

/** A backslash escapes a colon and a backslash. */
function fieldsOf(line: string): string[] {
  return (line.match(/(?:\\.|[^:\\])+/g) ?? []).map((field) => field.replaceAll(/\\(.)/g, "$1"));
}
