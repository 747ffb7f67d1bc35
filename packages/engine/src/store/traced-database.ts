import { isTraced, span } from "@knack/core/internal/engine";
import type { Database, TransactionOptions } from "./database.ts";

/** Each transaction as a span, with no word of its statements; the database itself where nobody traces. */
export function tracedDatabase(db: Database, url: string): Database {
  if (!isTraced()) return db;
  const system = url.startsWith("postgres") ? "postgresql" : "sqlite";
  const transaction: Database["transaction"] = (work, options: TransactionOptions = {}) =>
    span(
      "db.transaction",
      {
        "db.system.name": system,
        "db.operation.name": "transaction",
        "knack.db.durable": options.durable ?? true,
      },
      () => db.transaction(work, options),
    );
  // Everything else is the database's own, also what only one kind of database has.
  return new Proxy(db, {
    get: (target, name) => {
      if (name === "transaction") return transaction;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
