import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Folder } from "../../packages/core/src/testing/index.ts";
import { skillName, soakSkill } from "./make-project.ts";
import { descendantsOf } from "./processes.ts";

export interface Soak {
  readonly folder: Folder;
  readonly url: string;
  readonly token: string;
  readonly env: Record<string, string>;
  /** The arguments of Node that start Knack. */
  readonly program: readonly string[];
  readonly end: AbortSignal;
  readonly random: () => number;
  /** Counts an event; an unexpected one makes the soak fail. */
  readonly count: (what: string, expected?: boolean) => void;
  /** The longest answer to each kind of request, in milliseconds: with the load of the machine it tells what a time-out means. */
  readonly longest: Map<string, number>;
  /** The processes whose children may be killed and whose usage is measured. */
  readonly servers: Map<string, number>;
}

type Activity = (soak: Soak) => Promise<void>;

/** Repeats an activity until the end; errors are counted, unless the end caused them. */
function often(name: string, pauseMs: number, work: Activity): Activity {
  return async (soak) => {
    while (!soak.end.aborted) {
      try {
        await work(soak);
        soak.count(name);
      } catch (error) {
        if (!soak.end.aborted) soak.count(`${name}: ${String(error).slice(0, 120)}`, false);
      }
      await wait(pauseMs * (0.5 + soak.random()), undefined, { signal: soak.end }).catch(() => undefined);
    }
  };
}

const pick = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
const QUERIES = [
  "draft release notes",
  "review a change",
  "translate a report",
  "backup",
  "chart 17",
  "nothing at all",
];
const EXPECTED = new Set(["NOT_FOUND", "EXECUTION_ERROR", "INVALID_PARAM"]);

async function ask(soak: Soak, path: string, init: RequestInit = {}, what = path): Promise<void> {
  const begin = performance.now();
  try {
    await answered(soak, path, init);
  } catch (error) {
    throw new Error(`${what}: ${error}`);
  } finally {
    const kind = what.split("?")[0] ?? what;
    soak.longest.set(kind, Math.max(soak.longest.get(kind) ?? 0, performance.now() - begin));
  }
}

async function answered(soak: Soak, path: string, init: RequestInit): Promise<void> {
  const headers = { Authorization: `Bearer ${soak.token}`, "Content-Type": "application/json" };
  const signal = AbortSignal.any([soak.end, AbortSignal.timeout(60_000)]);
  const response = await fetch(`${soak.url}${path}`, { ...init, headers, signal });
  const text = await response.text();
  if (response.ok) return;
  const code = String((JSON.parse(text) as { error?: { code?: string } }).error?.code);
  soak.count(`${path.split("?")[0]}: ${response.status} ${code}`, EXPECTED.has(code));
}

const api = often("api", 150, (soak) =>
  ask(
    soak,
    pick(soak.random, [
      "/api/skills",
      `/api/search?q=${encodeURIComponent(pick(soak.random, QUERIES))}`,
      "/api/runs",
      "/api/status",
      "/api/graph",
      "/api/registry",
    ]),
  ),
);

const runs = often("run over HTTP", 700, async (soak) => {
  const path = `inputs/${Math.floor(soak.random() * 100)}.txt`;
  writeFileSync(soak.folder.at(`repo/${path}`), `text ${Math.floor(soak.random() * 1000)}\n`);
  const skill = pick(soak.random, ["text_extract", "file_fingerprint", "works", "works", "fails", "slow"]);
  await ask(soak, "/api/run", { method: "POST", body: JSON.stringify({ skill, inputs: [{ path }] }) }, skill);
});

const events = often("events stream", 500, async (soak) => {
  const some = AbortSignal.timeout(Math.round(2000 + soak.random() * 8000));
  const signal = AbortSignal.any([soak.end, some]);
  try {
    const headers = { Authorization: `Bearer ${soak.token}` };
    const response = await fetch(`${soak.url}/api/events`, { headers, signal });
    if (!response.ok || !response.body) throw new Error(`events: ${response.status}`);
    for await (const _ of response.body) if (signal.aborted) break;
  } catch (error) {
    // This client disconnected.
    if (!signal.aborted) throw error;
  }
});

const edits = often("edit of a skill", 400, async (soak) => {
  const number = Math.floor(soak.random() * 330);
  const file = soak.folder.at(`repo/.agents/skills/${skillName(number)}/SKILL.md`);
  if (soak.random() < 0.2) rmSync(dirname(file), { recursive: true, force: true });
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, soakSkill(number, Math.floor(soak.random() * 1000)));
  }
});

const kills = often("kill of a child", 4000, async (soak) => {
  const children = [...soak.servers.values()].flatMap((pid) => descendantsOf(pid));
  const clients = new Set(soak.servers.values());
  const victim = pick(
    soak.random,
    children.filter((pid) => !clients.has(pid)),
  );
  if (victim === undefined) return;
  try {
    process.kill(victim, "SIGKILL");
    soak.count("child killed");
  } catch (error) {
    // It had exited by itself.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
});

/** One MCP client: `calls` calls per connection, then it reconnects. */
function mcpClient(name: string, kind: "http" | "stdio", calls: number): Activity {
  return often(`${name}: connection`, 300, async (soak) => {
    const client = new Client({ name, version: "1.0.0" }, { capabilities: {} });
    const headers = { Authorization: `Bearer ${soak.token}` };
    const transport =
      kind === "http"
        ? new StreamableHTTPClientTransport(new URL(`${soak.url}/mcp`), { requestInit: { headers } })
        : new StdioClientTransport({
            command: process.execPath,
            args: [...soak.program, "mcp"],
            cwd: soak.folder.at("repo"),
            env: soak.env,
            stderr: "ignore",
          });
    await client.connect(transport);
    if (transport instanceof StdioClientTransport && transport.pid) soak.servers.set(name, transport.pid);
    try {
      for (let call = 0; call < calls && !soak.end.aborted; call++) {
        await oneCall(soak, client);
        soak.count(`${name}: call`);
        await wait(200 * (0.5 + soak.random()), undefined, { signal: soak.end }).catch(() => undefined);
      }
    } finally {
      soak.servers.delete(name);
      await client.close();
    }
  });
}

async function oneCall(soak: Soak, client: Client): Promise<void> {
  const { random } = soak;
  const kind = random();
  if (kind < 0.1) return void (await client.listTools());
  if (kind < 0.15) return void (await client.listPrompts());
  const path = "inputs/first.txt";
  const call =
    kind < 0.5
      ? { name: "skill_search", arguments: { query: pick(random, QUERIES) } }
      : kind < 0.85
        ? { name: "skill_load", arguments: { name: skillName(Math.floor(random() * 330)) } }
        : { name: pick(random, ["works", "works", "fails"]), arguments: { inputs: [{ path }] } };
  const result = await client.callTool(call);
  if (result.isError) soak.count(`${call.name}: error answer`);
}

export const ACTIVITIES: readonly Activity[] = [
  api,
  api,
  runs,
  events,
  edits,
  kills,
  mcpClient("mcp http 1", "http", Number.POSITIVE_INFINITY),
  mcpClient("mcp http 2", "http", 30),
  mcpClient("mcp stdio 1", "stdio", Number.POSITIVE_INFINITY),
  mcpClient("mcp stdio 2", "stdio", 30),
];
