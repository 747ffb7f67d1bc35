/**
 * How late the event loop of `knack serve` is while skills are edited and asked for, beside a process that does nothing.
 *
 *   npm run bench:loop -- [--skills 10000 | --from <folder of skills>] [--seconds 60] [--only edits,searches,graph]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, cpSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { callText, connectClient } from "../../test/http/mcp-client.ts";
import { Server } from "../../test/http/server.ts";
import { generateSkills } from "../catalog/generate.ts";

interface Delay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const { values } = parseArgs({
  options: {
    skills: { type: "string", default: "10000" },
    from: { type: "string" },
    seconds: { type: "string", default: "60" },
    only: { type: "string", default: "edits,searches,graph" },
    /** More options of Node for the server, such as --cpu-prof. */
    node: { type: "string", default: "" },
    program: { type: "string" },
  },
});
const seconds = Number(values.seconds);
const kinds = values.only.split(",");
const probe = `--import=${join(import.meta.dirname, "probe.ts")}`;

using folder = makeFolder({ "repo/.git/": "" });
const root = folder.at("repo/.agents/skills");
if (values.from) cpSync(values.from, root, { recursive: true });
else generateSkills(root, Number(values.skills));
const files = globSync("**/SKILL.md", { cwd: root }).map((file) => join(root, file));

const server = await Server.start(folder, {
  ...(values.program ? { program: values.program } : {}),
  env: {
    KNACK_TRUST: "all",
    KNACK_BENCH_LOOP: folder.at("server.json"),
    NODE_OPTIONS: `${probe} ${values.node}`,
  },
});
const idle = spawn(process.execPath, [probe, "-e", "setInterval(() => undefined, 60_000)"], {
  env: { ...process.env, KNACK_BENCH_LOOP: folder.at("idle.json") },
  stdio: "inherit",
});
const client = await connectClient(server);
const events = await server.get("/api/events");
try {
  await callText(client, "skill_search", { query: "the first search makes the index" });
  // The server watches its folders, and a large index is made in a thread.
  await delay(15_000);
  if (kinds.includes("edits")) await measure("an edit a second", everySecond());
  if (kinds.includes("searches"))
    await measure(
      "an edit, a search, a load and the list of the page a second",
      everySecond(async (at) => {
        await callText(client, "skill_search", { query: `work item ${at}` });
        await server.json("/api/skills?all=true&offset=0&limit=100");
        const [first] = (await server.json<{ skills: { path: string }[] }>("/api/skills?limit=1")).skills;
        await callText(client, "skill_load", { path: first?.path, force: true });
      }),
    );
  if (kinds.includes("graph")) {
    await delay(1_000);
    await measure("the first graph", async () => void (await server.json("/api/graph")));
    await measure("the graph after an edit", async () => {
      edit(0);
      await server.json("/api/graph");
    });
  }
} finally {
  await events.body?.cancel();
  await client.close();
  await server.end();
  idle.kill();
}

function edit(at: number): void {
  appendFileSync(files[(at * 7_919) % files.length] as string, `\nEdit ${at}.\n`);
}

function everySecond(work: (at: number) => Promise<void> = async () => undefined) {
  return async (): Promise<void> => {
    for (let at = 0; at < seconds; at++) {
      const next = delay(1_000);
      edit(at);
      await work(at);
      await next;
    }
  };
}

/** Prints how late both event loops were during the work. */
async function measure(what: string, work: () => Promise<void>): Promise<void> {
  await readDelays();
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  const [own, bare] = await readDelays();
  const words = ({ p50, p99, max }: Delay): string =>
    `p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, longest ${max.toFixed(0)} ms`;
  console.log(`${what}, ${files.length} skills, ${(ms / 1_000).toFixed(1)} s`);
  console.log(`  knack serve   ${words(own)}`);
  console.log(`  idle process  ${words(bare)}`);
  console.log(`  p99           ${(own.p99 / bare.p99).toFixed(1)} x`);
}

/** Of the server and of the idle process, since the last reading. */
function readDelays(): Promise<[Delay, Delay]> {
  return Promise.all([readDelay(server.process, "server.json"), readDelay(idle, "idle.json")]);
}

async function readDelay({ pid = 0 }: ChildProcess, name: string): Promise<Delay> {
  const file = folder.at(name);
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  for (;;) {
    await delay(20);
    try {
      return JSON.parse(readFileSync(file, "utf8")) as Delay;
    } catch {
      // It has not been written yet, or not to its end.
    }
  }
}
