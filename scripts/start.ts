import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isBuildFresh } from "./build-stamp.ts";

/** `npm start`: builds Knack if necessary, then serves this repository's own skills until Ctrl-C. */

const root = join(import.meta.dirname, "..");
if (!isBuildFresh()) {
  console.error("Building Knack …");
  await import("./build.ts");
}
console.error(
  "Serving the skills of this repository. They are trusted for this process only (KNACK_TRUST=all). Ctrl-C stops the server.",
);

process.chdir(root);
process.env.KNACK_TRUST = "all";
process.argv.splice(2, 0, "serve");
// Ctrl-C is the normal way to stop this server; with another code npm would report an error.
process.on("exit", (code) => {
  if (code === 130) process.exitCode = 0;
});
// A signal to npm reaches its shell but not this process; without this the server would keep running.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, 500).unref();
await import(pathToFileURL(join(root, "packages", "knack", "dist", "main.js")).href);
