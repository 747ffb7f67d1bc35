import { readFileSync, writeSync } from "node:fs";
import "../use-built-guest.ts";

const { run } = await import("../../packages/knack/src/cli/program.ts");

/**
 * clone-child.ts <jobs.json>: runs commands in one clone after the other, in this process. The output of a job follows a
 * line that names it, on both streams.
 */
interface Job {
  readonly id: string;
  readonly repo: string;
  readonly env: Readonly<Record<string, string>>;
  readonly commands: readonly (readonly string[])[];
}

process.setMaxListeners(0);
const jobs = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as readonly Job[];
for (const { id, repo, env, commands } of jobs) {
  process.env.KNACK_TRUST = "";
  Object.assign(process.env, env);
  process.chdir(repo);
  for (const args of commands) {
    for (const stream of [1, 2]) writeSync(stream, `\n@@ ${id} ${args.join(" ")}\n`);
    process.exitCode = 0;
    await run(args);
    const code = Number(process.exitCode);
    if (code > 2) writeSync(2, `\n@@ exit ${code}\n`);
  }
}
process.exit(0);
