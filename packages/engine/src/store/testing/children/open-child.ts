import { openTestStore } from "../open-test-store.ts";

/** open-child.ts <database>: opens it on a signal on standard input, and reports that it could write. */
const [file = ""] = process.argv.slice(2);
console.log("ready");
await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdin.destroy();
const { db } = await openTestStore(file);
await db.run("INSERT INTO task_edges (plan_id, task_id, depends_on) VALUES ('p', ?, 'x')", [
  String(process.pid),
]);
await db.close();
console.log("done");
