import { MIGRATIONS } from "../../schema.ts";
import { SqliteConnection } from "../../sqlite/sqlite-connection.ts";
import { migrate } from "../../sqlite/sqlite-migrate.ts";

/** migrate-child.ts <database>: dies in the middle of a migration that a later Knack might have. */
const [file = ""] = process.argv.slice(2);
const statements = ["CREATE TABLE later (value TEXT)", "INSERT INTO later VALUES ('x')"];
statements[Symbol.iterator] = function* () {
  yield "CREATE TABLE later (value TEXT)";
  process.kill(process.pid, "SIGKILL");
} as () => ArrayIterator<string>;
await migrate(new SqliteConnection(file), file, 1000, [...MIGRATIONS, { since: "9.9.9", statements }]);
