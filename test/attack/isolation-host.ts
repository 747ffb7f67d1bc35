/**
 * A program that executes one skill and nothing else, so that what a skill inherits from it, reads from it or sends to it
 * can be told apart from the test. Takes a file with what to execute; prints the result and the received signals.
 */
import { readFileSync } from "node:fs";
import { execute } from "../../packages/engine/src/isolate/execute.ts";

const { execution, withLandlock } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
let signals = 0;
process.on("SIGUSR2", () => {
  signals += 1;
});
execution.context.params.host = process.pid;
const alone = async () => ({ works: false, reason: "the test wants none" }) as const;
const result = withLandlock ? await execute(execution) : await execute(execution, alone);
process.stdout.write(JSON.stringify({ ...result, signals }));
