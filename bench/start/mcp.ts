/**
 * From the start of `knack mcp` to its list of tools, beside a server that does nothing on the same SDK and Node:
 * `npm run bench:start -- --only mcp [--rounds 21] [--skills 62,1000,10000]`.
 *
 * The client is a script that answers at once, so that the time is the server's. Processor time is that of all threads when the
 * list arrives (Linux). The kinds take turns and the median counts; the first round keeps answers and fills caches.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { generateSkills } from "../catalog/generate.ts";

const KNACK = join(import.meta.dirname, "..", "..", "packages", "knack", "bin", "knack.js");
const BARE = join(import.meta.dirname, "..", "mcp", "bare-server.ts");
/** A server keeps its answers about a second after it gave them; on a busy machine later. */
const KEEP_MS = 60_000;

const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1.0.0" },
};

interface Kind {
  readonly title: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly times: { readonly wall: number; readonly processor: number }[];
}

export async function measureMcp(rounds: number, sizes: readonly number[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "knack-bench-mcp-"));
  try {
    const kinds: Kind[] = [{ title: "bare server", args: [BARE], cwd: folder, env: {}, times: [] }];
    for (const size of sizes) {
      const [home, cwd] = [join(folder, `home-${size}`), join(folder, `project-${size}`)];
      const root = join(home, ".agents", "skills");
      for (const made of [root, join(cwd, ".git")]) mkdirSync(made, { recursive: true });
      generateSkills(root, size);
      const env = { HOME: home };
      const first = { title: `${size} skills, first start`, args: [KNACK, "mcp"], cwd, env, times: [] };
      kinds.push(first, { ...first, title: `${size} skills`, times: [] });
    }
    for (let round = 0; round <= rounds; round++)
      for (const kind of kinds) {
        const { HOME: home } = kind.env;
        const isFirst = kind.title.endsWith("first start");
        if (isFirst) rmSync(join(home ?? "", ".cache", "knack", "mcp"), { recursive: true, force: true });
        const time = await start(kind, isFirst ? KEEP_MS : 0);
        if (round > 0) kind.times.push(time);
      }
    const [bare] = kinds;
    for (const kind of kinds) {
      const [wall, processor] = (["wall", "processor"] as const).map((what) => {
        const of = ({ times }: Kind): number => median(times.map((time) => time[what]));
        return `${of(kind).toFixed(0).padStart(5)} ms ${(of(kind) / of(bare ?? kind)).toFixed(2)} x`;
      });
      console.log(`knack mcp to tools/list  ${kind.title.padEnd(26)} ${wall}   processor ${processor}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start({ args, cwd, env }: Kind, stayMs: number): Promise<Kind["times"][number]> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = new Promise((done) => child.once("exit", done));
  const say = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  say({ id: 1, method: "initialize", params: INITIALIZE });
  for await (const line of createInterface({ input: child.stdout })) {
    const { id } = JSON.parse(line) as { readonly id?: number };
    if (id === 1) {
      say({ method: "notifications/initialized" });
      say({ id: 2, method: "tools/list" });
    }
    if (id === 2) break;
  }
  const time = { wall: performance.now() - begin, processor: processorMs(child.pid ?? 0) };
  const kept = join(env.HOME ?? "", ".cache", "knack", "mcp");
  for (let waited = 0; waited < stayMs && !existsSync(kept); waited += 100) await delay(100);
  child.stdout.resume();
  child.stdin.end();
  await ended;
  return time;
}

function processorMs(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}
