/**
 * The cost of starting a conversation:
 * `npm run bench:mcp [-- --rounds 7 --skills 1000,10000 --sessions 100 --calls 50 --only start,sessions,calls]`.
 *
 * A conversation is `initialize`, `tools/list`, one search and one load by the SDK's client, measured from the start of the
 * process. Each is a new process, the kinds alternate, and the median counts: no skills, some, many, and a server with the same
 * SDK that does nothing. Then many conversations at once with one `knack serve`, and the cost of a single call for a client
 * that stays connected (`calls.ts`).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { generateSkills } from "../catalog/generate.ts";
import { measureCalls, type Place } from "./calls.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    skills: { type: "string", default: "1000,10000" },
    sessions: { type: "string", default: "100" },
    calls: { type: "string", default: "50" },
    only: { type: "string", default: "start,sessions,calls" },
  },
});
const ROUNDS = Number(values.rounds);
const SIZES = values.skills.split(",").map(Number);
const SESSIONS = Number(values.sessions);

const knack = join(import.meta.dirname, "..", "..", "packages", "knack", "bin", "knack.js");
const folder = mkdtempSync(join(tmpdir(), "knack-bench-serve-"));

interface Begun {
  readonly initialize: number;
  readonly list: number;
  readonly search: number;
  readonly load: number;
  readonly total: number;
}

/** A home folder with this many skills, and a project without any. */
function makePlace(count: number): Place {
  const home = join(folder, `home-${count}`);
  const cwd = join(folder, `project-${count}`);
  mkdirSync(join(cwd, ".knack"), { recursive: true });
  mkdirSync(join(home, ".agents", "skills"), { recursive: true });
  const root = join(home, ".agents", "skills");
  generateSkills(root, count);
  return { cwd, root, env: { PATH: process.env.PATH ?? "", HOME: home } };
}

async function converse(client: Client, connect: () => Promise<void>): Promise<Begun> {
  const times = [performance.now()];
  const passed = (): void => void times.push(performance.now());
  await connect();
  passed();
  await client.listTools();
  passed();
  await client.callTool({ name: "skill_search", arguments: { query: "generated catalog work item 7" } });
  passed();
  await client.callTool({ name: "skill_load", arguments: { name: "skill-000007" } });
  passed();
  const [start = 0, a = 0, b = 0, c = 0, d = 0] = times;
  return { initialize: a - start, list: b - a, search: c - b, load: d - c, total: d - start };
}

async function overStdio(args: readonly string[], cwd: string, env: Record<string, string>): Promise<Begun> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    cwd,
    env,
    stderr: "ignore",
  });
  try {
    return await converse(client, () => client.connect(transport));
  } finally {
    await client.close();
  }
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}

async function measureStdio(): Promise<void> {
  const places = new Map([0, ...SIZES].map((count) => [count, makePlace(count)]));
  const kinds = new Map<string, () => Promise<Begun>>();
  kinds.set("bare", () => overStdio([join(import.meta.dirname, "bare-server.ts")], folder, { PATH: "" }));
  for (const [count, { cwd, env }] of places)
    kinds.set(`${count} skills`, () => overStdio([knack, "mcp"], cwd, env));
  const all = new Map<string, Begun[]>([...kinds.keys()].map((kind) => [kind, []]));
  // One warm-up round, which creates indexes and compile caches.
  for (let round = -1; round < ROUNDS; round++)
    for (const [kind, begin] of kinds) {
      const begun = await begin();
      if (round >= 0) all.get(kind)?.push(begun);
    }
  const empty = median((all.get("0 skills") ?? []).map(({ total }) => total));
  for (const [kind, list] of all) {
    const of = (part: keyof Begun): string => median(list.map((one) => one[part])).toFixed(1);
    const ratio = (median(list.map(({ total }) => total)) / empty).toFixed(2);
    console.log(
      `${kind.padEnd(13)} initialize ${of("initialize")}, list ${of("list")}, search ${of("search")}, load ${of("load")}, in all ${of("total")} ms, ${ratio} x no skills`,
    );
  }
}

const TOKEN = "a-token-for-this-measurement";

async function startServer(
  cwd: string,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [knack, "serve", "--port", "0"], {
    cwd,
    env: { ...env, KNACK_TOKEN: TOKEN },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = "";
  const hear = (text: Buffer): void => {
    said += text;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
    if (url !== undefined) resolve(url);
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  child.once("exit", () => reject(new Error(said)));
  return { child, url: await promise };
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

async function measureSessions(): Promise<void> {
  const { cwd, env } = makePlace(SIZES[0] ?? 1000);
  const { child, url } = await startServer(cwd, env);
  const pid = child.pid ?? 0;
  try {
    const one = async (): Promise<Begun & { close(): Promise<void> }> => {
      const client = new Client({ name: "bench", version: "1.0.0" });
      const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
      const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit });
      const begun = await converse(client, () => client.connect(transport));
      return { ...begun, close: () => client.close() };
    };
    const alone = await one();
    await alone.close();
    const before = residentMb(pid);
    const started = performance.now();
    const begun = await Promise.all(Array.from({ length: SESSIONS }, one));
    const took = performance.now() - started;
    const totals = begun.map(({ total }) => total);
    console.log(
      `${SESSIONS} conversations at once over HTTP: ${took.toFixed(0)} ms in all, median ${median(totals).toFixed(0)}, longest ${Math.max(...totals).toFixed(0)}; one alone ${alone.total.toFixed(0)}; the server had ${before} MB and then ${residentMb(pid)} MB`,
    );
    await Promise.all(begun.map(({ close }) => close()));
  } finally {
    child.kill("SIGTERM");
  }
}

try {
  const only = values.only.split(",");
  if (only.includes("start")) await measureStdio();
  if (only.includes("sessions")) await measureSessions();
  if (only.includes("calls"))
    await measureCalls([process.execPath, knack, "mcp"], makePlace(SIZES.at(-1) ?? 0), Number(values.calls));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
