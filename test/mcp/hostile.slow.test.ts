import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixedSeed } from "../../packages/core/src/shared/testing/cases.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { PROGRAM, REPO } from "../cli/run.ts";
import { makeTypedProject } from "../cli/typed-skills.ts";
import { INITIALIZE as HELLO, lines } from "./raw-requests.ts";
import { trustedEnvironment } from "./ways.ts";

interface Message {
  readonly id?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

const INITIALIZE = lines({ ...HELLO, id: "begin" }).trimEnd();

type Child = ReturnType<typeof start>["child"];
const ENDS = [
  ["the end of its input", (child: Child) => child.stdin.end(), 0],
  ["SIGTERM", (child: Child) => child.kill("SIGTERM"), 0],
  ["SIGINT", (child: Child) => child.kill("SIGINT"), 130],
] as const;

/** A running `knack mcp`, addressed in raw bytes. */
function start(folder: Folder, more: Record<string, string> = {}) {
  folder.write({ "home/": "" });
  const child = spawn(process.execPath, [PROGRAM, "mcp"], {
    cwd: folder.at("repo"),
    env: { ...trustedEnvironment(folder), ...more },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const heard: Message[] = [];
  const waiting = new Map<unknown, (message: Message) => void>();
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message: Message = JSON.parse(line);
    heard.push(message);
    waiting.get(message.id)?.(message);
  });
  const closed = once(child, "close").then(([code, signal]) => ({ code, signal }));
  const write = (line: string): boolean => child.stdin.write(`${line}\n`);
  const answer = (id: unknown): Promise<Message> =>
    new Promise((done) => {
      const before = heard.find((message) => message.id === id);
      if (before) done(before);
      else waiting.set(id, done);
    });
  return { child, closed, heard, write, answer, stderr: () => stderr };
}

const project = () => makeFolder({ "repo/.git/": "", [`${REPO}/good/SKILL.md`]: skillText("good") });

describe("what is no message gets the protocol's code, and the server stays", () => {
  it.each([
    ["no JSON", "{", null, -32700],
    ["an empty array", "[]", null, -32600],
    [
      "an array of calls",
      JSON.stringify(Array(10_000).fill({ jsonrpc: "2.0", id: 1, method: "ping" })),
      null,
      -32600,
    ],
    ["a number", "7", null, -32600],
    ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
    ["no method", '{"jsonrpc":"2.0","id":5}', 5, -32600],
    ["another protocol", '{"jsonrpc":"1.0","id":6,"method":"ping"}', 6, -32600],
    ["parameters that are an array", '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}', 7, -32602],
    ["the method __proto__", '{"jsonrpc":"2.0","id":8,"method":"__proto__"}', 8, -32601],
    ["the method constructor", '{"jsonrpc":"2.0","id":9,"method":"constructor"}', 9, -32601],
    [
      "the tool __proto__",
      '{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"__proto__"}}',
      10,
      -32602,
    ],
    [
      "a cursor of nowhere",
      '{"jsonrpc":"2.0","id":11,"method":"prompts/list","params":{"cursor":"x"}}',
      11,
      -32602,
    ],
    [
      "a cursor of nowhere for skills",
      '{"jsonrpc":"2.0","id":12,"method":"skills/list","params":{"cursor":"x"}}',
      12,
      -32602,
    ],
    [
      "parameters nested too deeply",
      `{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"skill_search","arguments":{"query":${"[".repeat(100_000)}${"]".repeat(100_000)}}}}`,
      13,
      -32602,
    ],
  ])("%s", async (_name, line, id, code) => {
    using folder = project();
    const server = start(folder);
    server.write(INITIALIZE);
    await server.answer("begin");
    server.write(line);
    expect(await server.answer(id)).toMatchObject({ id, error: { code } });
    server.write('{"jsonrpc":"2.0","id":"still","method":"ping"}');
    expect((await server.answer("still")).result).toEqual({});
    server.child.stdin.end();
    expect(await server.closed).toEqual({ code: 0, signal: null });
    expect(JSON.stringify(server.heard)).not.toMatch(/node:internal|\bat .*\.(?:js|ts):\d/);
  });

  it("a notification and an answer that nobody asked for get none", async () => {
    using folder = project();
    const server = start(folder);
    server.write(INITIALIZE);
    server.write('{"jsonrpc":"2.0","method":"tools/list"}');
    server.write('{"jsonrpc":"2.0","id":77,"result":{}}');
    server.write('{"jsonrpc":"2.0","id":"still","method":"ping"}');
    await server.answer("still");
    expect(server.heard.map(({ id }) => id).sort()).toEqual(["begin", "still"]);
    server.child.kill();
    await server.closed;
  });

  /** 100,000 by `KNACK_FRAMES=100000`. */
  const FRAMES = Number(process.env.KNACK_FRAMES ?? 3_000);

  it(`answers after ${FRAMES} generated frames`, { timeout: 60_000 + FRAMES * 20 }, async () => {
    using folder = project();
    const server = start(folder);
    server.write(INITIALIZE);
    await server.answer("begin");
    const seed = fixedSeed();
    const batch = 500;
    for (let sent = 0; sent < FRAMES; sent += batch) {
      const frames = fc.sample(FRAME, { numRuns: Math.min(batch, FRAMES - sent), seed: seed + sent });
      for (const frame of frames) server.write(frame.replaceAll("\n", " "));
      const id = `after-${sent}`;
      server.write(JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
      expect((await server.answer(id)).result, `seed ${seed}`).toEqual({});
      server.heard.length = 0;
    }
    server.child.stdin.end();
    expect(await server.closed, `seed ${seed}: ${server.stderr()}`).toEqual({ code: 0, signal: null });
  });
});

const METHOD = fc.oneof(
  fc.constantFrom(
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "resources/directory/read",
    "resources/subscribe",
    "skills/list",
    "skills/get",
    "completion/complete",
    "logging/setLevel",
    "server/discover",
    "subscriptions/listen",
    "notifications/cancelled",
    "notifications/initialized",
    "__proto__",
    "toString",
  ),
  fc.string(),
);
const ODD = fc.oneof(
  fc.json(),
  fc.constantFrom('"good"', '"skill://good/SKILL.md"', '"skill_load"', "null", "{}"),
);
const FRAME = fc.oneof(
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 1, arbitrary: fc.json() },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        METHOD,
        fc.oneof(fc.nat().map(String), fc.nat().map(String), ODD),
        ODD,
        ODD,
        fc.constantFrom("name", "uri", "cursor", "arguments", "ref", "requestId", "_meta"),
      )
      .map(
        ([method, id, value, other, key]) =>
          `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":{"${key}":${value},"arguments":${other}}}`,
      ),
  },
);

describe("the line and the stream", () => {
  it("ends the connection at a line of more than 4 MiB, before it is in memory", async () => {
    using folder = project();
    const server = start(folder);
    server.write(INITIALIZE);
    await server.answer("begin");
    const piece = Buffer.alloc(1024 * 1024, 0x61);
    for (let i = 0; i < 64 && server.child.exitCode === null; i++) server.child.stdin.write(piece);
    expect(await server.closed).toEqual({ code: 1, signal: null });
    expect(server.heard.at(-1)).toMatchObject({ id: null, error: { code: -32600 } });
    expect(server.stderr()).toContain("error: A line of input had more than 4194304 bytes.");
  });

  it("lets nothing that a skill prints into the stream", async () => {
    using folder = makeTypedProject({
      "repo/impl/says.mjs":
        "console.log('{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}'); process.stdout.write('noise\\n'); export const run = () => ({ status: 'SUCCEEDED', artifacts: [], error: null, evidences: [{ kind: 'SAID', data: { text: '' } }] });\n",
      "home/.knack/config.yaml": "permissions: { allow: [{ tool: says }] }\n",
    });
    const server = start(folder);
    server.write(INITIALIZE);
    server.write(
      '{"jsonrpc":"2.0","id":"run","method":"tools/call","params":{"name":"says","arguments":{}}}',
    );
    const { result } = await server.answer("run");
    expect(result).toMatchObject({ isError: false });
    expect(server.heard.map(({ id }) => id)).toEqual(["begin", "run"]);
    server.child.stdin.end();
    await server.closed;
  });
});

describe("how the server ends", () => {
  const allowed = { "home/.knack/config.yaml": "permissions: { allow: [{ tool: waits }] }\n" };

  it.each(ENDS)("%s ends it with its code, and the run in flight with it", async (_name, end, code) => {
    using folder = makeTypedProject(allowed);
    const server = start(folder);
    server.write(INITIALIZE);
    server.write(
      '{"jsonrpc":"2.0","id":"run","method":"tools/call","params":{"name":"waits","arguments":{},"_meta":{"progressToken":1}}}',
    );
    const begun = () =>
      server.heard.find((message) => JSON.stringify(message).includes("begun")) !== undefined;
    await expect.poll(begun).toBe(true);
    const started = descendants(server.child.pid ?? 0);
    expect(started.length).toBeGreaterThan(0);
    end(server.child);
    expect(await server.closed).toEqual({ code, signal: null });
    expect(started.filter((pid) => parentOf(pid) !== undefined)).toEqual([]);
  });
});

describe("a client that takes no answers", () => {
  const LIST = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n';

  it.each(ENDS)("does not keep it from %s", async (_name, end, code) => {
    using folder = project();
    const server = start(folder);
    server.write(INITIALIZE);
    await server.answer("begin");
    server.child.stdout.pause();
    server.child.stdin.write(LIST.repeat(500));
    await delay(1_000);
    const exited = once(server.child, "exit");
    end(server.child);
    expect(await exited).toEqual([code, null]);
  });

  it("gets all of them when it goes on, in a memory that does not grow meanwhile", async () => {
    using folder = project();
    const server = start(folder);
    const parts: Buffer[] = [];
    server.child.stdout.on("data", (part) => parts.push(part));
    server.write(INITIALIZE);
    await server.answer("begin");
    server.child.stdout.pause();
    for (let id = 0; id < 2_000; id++)
      server.write(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" }));
    await delay(1_000);
    expect(residentMb(server.child.pid ?? 0)).toBeLessThan(250);
    server.child.stdout.resume();
    server.child.stdin.end();
    expect(await server.closed).toEqual({ code: 0, signal: null });
    const lines = Buffer.concat(parts).toString("utf8").trimEnd().split("\n");
    const [first, ...ids] = lines.map((line) => JSON.parse(line).id);
    expect([first, ...ids.sort((a, b) => a - b)]).toEqual(["begin", ...Array(2_000).keys()]);
  });
});

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** All descendants of a process. */
function descendants(pid: number): number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function parentOf(pid: number | string): number | undefined {
  try {
    // The program name, in brackets, may contain anything.
    return Number(
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[1],
    );
  } catch {
    return undefined;
  }
}
