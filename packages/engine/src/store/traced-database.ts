import { isTraced, span } from "@knack/core/internal/engine";
import type { Database, TransactionOptions } from "./database.ts";

/** Each transaction as a span, with no word of its statements; the database itself where nobody traces. */
export function tracedDatabase(db: Database, url: string): Database {
  if (!isTraced()) return db;
  const system = url.startsWith("postgres") ? "postgresql" : "sqlite";
  return {
    all: (sql, parameters) => db.all(sql, parameters),
    get: (sql, parameters) => db.get(sql, parameters),
    run: (sql, parameters) => db.run(sql, parameters),
    transaction: <T>(work: (tx: Database) => Promise<T>, options: TransactionOptions = {}) =>
      span(
        "db.transaction",
        {
          "db.system.name": system,
          "db.operation.name": "transaction",
          "knack.db.durable": options.durable ?? true,
        },
        () => db.transaction(work, options),
      ),
    flush: () => db.flush(),
    close: () => db.close(),
  };
}
