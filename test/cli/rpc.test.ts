import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases } from "../../packages/core/src/shared/testing/cases.ts";
import { checkEnvelope } from "../../packages/core/src/testing/envelope.ts";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment, knack, makeProject, PROGRAM, REPO } from "./run.ts";
import { makeTypedProject } from "./typed-skills.ts";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A running `knack rpc` with its answers in order. */
class Rpc implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly notices: Message[] = [];
  stderr = "";
  readonly #answers: Message[] = [];
  readonly #waiting: ((message: Message) => void)[] = [];
  #next = 1;

  constructor(folder: Folder, env: NodeJS.ProcessEnv = { KNACK_TRUST: "all" }) {
    this.process = spawn(process.execPath, [PROGRAM, "rpc"], {
      cwd: folder.at("repo"),
      env: { ...environment(folder), ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.process.stderr?.on("data", (chunk) => {
      this.stderr += chunk;
    });
    createInterface({ input: this.process.stdout! }).on("line", (line) => {
      const message: Message | Message[] = JSON.parse(line);
      if (!Array.isArray(message) && message.method) this.notices.push(message);
      else (this.#waiting.shift() ?? ((one) => this.#answers.push(one)))(message as Message);
    });
  }

  /** Sends raw bytes and waits for one answer. */
  send(line: string | Buffer): Promise<Message> {
    this.process.stdin?.write(line);
    this.process.stdin?.write("\n");
    const ready = this.#answers.shift();
    return ready ? Promise.resolve(ready) : new Promise((resolve) => this.#waiting.push(resolve));
  }

  async call(method: string, params?: unknown): Promise<Message> {
    const id = this.#next++;
    const answer = await this.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    expect(answer.id).toBe(id);
    return answer;
  }

  async result(method: string, params?: unknown): Promise<Record<string, unknown>> {
    const { result, error } = await this.call(method, params);
    expect(error).toBeUndefined();
    return result ?? {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.stdin?.end();
    await once(this.process, "exit");
  }
}

describe("knack rpc: the methods", () => {
  it("skills.list answers the catalog, and force_reload a new snapshot (004 §10.1)", async () => {
    using folder = makeProject();
    await using rpc = new Rpc(folder);
    const names = async (params?: object): Promise<unknown> =>
      ((await rpc.result("skills.list", params)).skills as { name: string }[]).map(({ name }) => name);
    expect(await names()).toEqual(["good", "mine"]);
    const { errors } = await rpc.result("skills.list");
    expect(new Set((errors as { path: string }[]).map(({ path }) => path))).toEqual(
      new Set([folder.at(REPO, "bad", "SKILL.md"), folder.at(REPO, "never", "SKILL.md")]),
    );
    folder.write({ [`${REPO}/later/SKILL.md`]: skillText("later") });
    await rpc.result("skills.search", { query: "later" });
    expect(await names({})).toEqual(["good", "mine"]);
    expect(await rpc.result("context.inspect")).toEqual({ snapshot_version: 1 });
    expect(await names({ force_reload: true })).toEqual(["good", "later", "mine"]);
    expect(await rpc.result("context.inspect")).toEqual({ snapshot_version: 2 });
  });

  it("skills.list takes another working directory", async () => {
    using folder = makeProject({
      "other/.git/": "",
      "other/.agents/skills/there/SKILL.md": skillText("there"),
    });
    await using rpc = new Rpc(folder);
    const { skills } = await rpc.result("skills.list", { cwd: folder.at("other") });
    expect((skills as { name: string }[]).map(({ name }) => name)).toEqual(["there", "mine"]);
    expect((await rpc.call("skills.list", { cwd: folder.at("none") })).error?.code).toBe(-32602);
    // Only some projects are kept open; the others are opened again.
    const parts = Array.from({ length: 10 }, (_, part) => `other/part${part}/`);
    folder.write(Object.fromEntries(parts.map((part) => [part, ""])));
    for (const part of [...parts, "other", ...parts]) {
      const list = await rpc.result("skills.list", { cwd: folder.at(part) });
      expect((list.skills as unknown[]).length).toBe(2);
    }
  });

  it("context.inspect shows catalog, whether its list is cut, and loaded skills (004 §4, §13.7)", async () => {
    using folder = makeProject({
      "home/.knack/config.yaml": "skills: { disabled: [off], initial: { maxEntries: 1 } }\n",
    });
    await using rpc = new Rpc(folder);
    const loaded = await rpc.result("skills.load", { name: "good" });
    expect(checkEnvelope(loaded)).toEqual([]);
    const { path, sha256, ref } = loaded.data as Record<string, unknown>;
    expect(await rpc.result("context.inspect", { include_skills: true })).toMatchObject({
      snapshot_version: 1,
      skills: {
        catalog: { skills: [{ name: "good" }, { name: "mine" }], truncated: true },
        loaded: [{ name: "good", path, sha256, ref }],
      },
    });
  });

  it("answers refusals as envelopes, and keeps JSON-RPC errors for the protocol", async () => {
    using folder = makeProject();
    await using rpc = new Rpc(folder);
    const code = async (method: string, params: object): Promise<unknown> => {
      const envelope = await rpc.result(method, params);
      expect(checkEnvelope(envelope)).toEqual([]);
      return (envelope.error as { code: string } | undefined)?.code ?? envelope.status;
    };
    expect(await code("skills.load", { name: "none" })).toBe("NOT_FOUND");
    expect(await code("skills.load", { nam: "good" })).toBe("INVALID_PARAM");
    expect(await code("skills.load", { name: "off" })).toBe("ACCESS_DENIED");
    expect(await code("skills.search", {})).toBe("INVALID_PARAM");
    expect(await code("skills.search", { query: "x", also: "y" })).toBe("INVALID_PARAM");
    expect(await code("skills.search", { query: "x", also: ["1", "2", "3", "4", "5"] })).toBe(
      "INVALID_PARAM",
    );
    expect(await code("commands.execute", { input: "/none" })).toBe("INVALID_PARAM");
    expect(await code("commands.execute", { input: "/skill" })).toBe("INVALID_PARAM");
    expect(await code("commands.execute", { input: "/skill none" })).toBe("NOT_FOUND");
    expect(await code("commands.execute", { input: "/skill good" })).toBe("success");
    const reloaded = await rpc.result("commands.execute", { input: "/reload_skills" });
    expect(reloaded.data).toMatchObject({ snapshot_version: 2 });
  });

  it("saves and restores a session", async () => {
    using folder = makeProject();
    let state: unknown;
    {
      await using rpc = new Rpc(folder);
      await rpc.result("skills.load", { name: "good" });
      ({ state } = await rpc.result("session.save", {}));
    }
    await using rpc = new Rpc(folder);
    expect((await rpc.result("session.restore", { state })).loaded).toHaveLength(1);
    const again = await rpc.result("skills.load", { name: "good" });
    expect(again.data).toMatchObject({ already_loaded: true });
    expect((await rpc.call("session.restore", { state: { version: 7 } })).error?.code).toBe(-32602);
  });

  it("tells skills.changed when a skill changes", async () => {
    using folder = makeProject();
    await using rpc = new Rpc(folder);
    await rpc.result("skills.list");
    folder.write({ [`${REPO}/later/SKILL.md`]: skillText("later") });
    await expect.poll(() => rpc.notices).toMatchObject([{ method: "skills.changed" }]);
    rmSync(folder.at(REPO, "later"), { recursive: true });
    await expect.poll(() => rpc.notices.length).toBe(2);
  });

  it("offers only the user's own skills in an untrusted project, and says so on standard error", async () => {
    using folder = makeProject();
    await using rpc = new Rpc(folder, {});
    const { skills } = await rpc.result("skills.list");
    expect((skills as { name: string }[]).map(({ name }) => name)).toEqual(["mine"]);
    expect(rpc.stderr).toContain("1 waiting for trust (knack trust). See why: knack doctor\n");
    const refused = await rpc.result("skills.load", { path: folder.at(REPO, "good") });
    expect(refused.error).toMatchObject({ code: "ACCESS_DENIED" });
  });
});

describe("knack rpc: trust while it runs", () => {
  it("is taken in by a reload, and its end at once", async () => {
    using folder = makeProject();
    await using rpc = new Rpc(folder, {});
    const names = async (): Promise<string[]> =>
      ((await rpc.result("skills.list", { force_reload: true })).skills as { name: string }[]).map(
        ({ name }) => name,
      );
    const load = async (): Promise<unknown> => {
      const { status, error } = await rpc.result("skills.load", { name: "good", force: true });
      return (error as { code: string } | undefined)?.code ?? status;
    };
    expect(await names()).toEqual(["mine"]);
    expect(knack(folder, ["trust", "--yes"]).code).toBe(0);
    expect(await names()).toEqual(["good", "mine"]);
    expect(await load()).toBe("success");
    expect(knack(folder, ["trust", "--revoke"]).code).toBe(0);
    expect(await load()).toBe("ACCESS_DENIED");
    const { data } = await rpc.result("skills.search", { query: "審查", also: ["good"] });
    expect(JSON.stringify(data)).not.toContain(folder.at(REPO, "good"));
    expect(await names()).toEqual(["mine"]);
  });
});

describe("knack rpc: lines that are no request", () => {
  let folder: Folder;
  let rpc: Rpc;
  beforeAll(() => {
    folder = makeProject();
    rpc = new Rpc(folder);
  });
  afterAll(async () => {
    await rpc[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it.each([
    ["not JSON", "{", -32700],
    ["an empty array", "[]", -32600],
    ["a number", "5", -32600],
    ["null", "null", -32600],
    ["no version", '{"id":1,"method":"skills.list"}', -32600],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"skills.list"}', -32600],
    ["no method", '{"jsonrpc":"2.0","id":1}', -32600],
    ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"skills.fly"}', -32601],
    ["a method of every object", '{"jsonrpc":"2.0","id":1,"method":"__proto__"}', -32601],
    ["positional parameters", '{"jsonrpc":"2.0","id":1,"method":"skills.list","params":[1]}', -32602],
    ["an unknown parameter", '{"jsonrpc":"2.0","id":1,"method":"skills.list","params":{"dir":"x"}}', -32602],
    [
      "a parameter of another type",
      '{"jsonrpc":"2.0","id":1,"method":"context.inspect","params":{"include_skills":"yes"}}',
      -32602,
    ],
    [
      "an id that JSON would round",
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"skills.list"}',
      -32600,
    ],
    ["an id beyond all numbers", '{"jsonrpc":"2.0","id":1e400,"method":"skills.list"}', -32600],
    [
      "parameters too deep to write back",
      `{"jsonrpc":"2.0","id":1,"method":"skills.search","params":{"query":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
      -32602,
    ],
    ["too many calls at once", JSON.stringify(Array(10_000).fill(1)), -32600],
  ])("answers %s by the protocol's own error and stays up", async (_what, line, code) => {
    expect((await rpc.send(line)).error?.code).toBe(code);
    expect((await rpc.result("skills.list")).skills).toHaveLength(2);
  });
});

describe("knack rpc: the protocol", () => {
  it("bounds the answer to an array of calls, and answers each of them", async () => {
    const long = `${skillText("long")}${"x".repeat(500_000)}`;
    using folder = makeProject({ [`${REPO}/long/SKILL.md`]: long });
    await using rpc = new Rpc(folder);
    const params = { name: "long", force: true };
    const calls = Array.from({ length: 200 }, (_, id) => ({
      jsonrpc: "2.0",
      id,
      method: "skills.load",
      params,
    }));
    const answers = (await rpc.send(JSON.stringify(calls))) as unknown as Message[];
    expect(answers.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    expect(answers[0]?.result).toMatchObject({ status: "success" });
    expect(answers.at(-1)?.error?.code).toBe(-32600);
    expect((await rpc.result("skills.load", params)).status).toBe("success");
  });

  it("answers an array of calls with an array, and notifications with nothing", async () => {
    using folder = makeProject();
    await using rpc = new Rpc(folder);
    const line = JSON.stringify([
      { jsonrpc: "2.0", id: "a", method: "context.inspect" },
      { jsonrpc: "2.0", method: "skills.list" },
      { jsonrpc: "2.0", id: null, method: "none" },
    ]);
    rpc.process.stdin?.write('{"jsonrpc":"2.0","method":"skills.list"}\n\n   \n');
    expect(await rpc.send(line)).toMatchObject([
      { id: "a", result: { snapshot_version: 1 } },
      { id: null, error: { code: -32601 } },
    ]);
  });

  it("answers a line of 64 MiB with an error and keeps nothing of it", async () => {
    using folder = makeProject();
    await using rpc = new Rpc(folder);
    expect((await rpc.send(Buffer.alloc(64 * 1024 * 1024, "x"))).error?.code).toBe(-32600);
    expect((await rpc.result("skills.list")).skills).toHaveLength(2);
  });

  it("survives generated frames", async () => {
    using folder = makeProject();
    await using rpc = new Rpc(folder);
    const methods = [
      "skills.list",
      "skills.load",
      "skills.search",
      "context.inspect",
      "commands.execute",
      "session.restore",
      "x",
    ];
    const frame = fc.record({
      jsonrpc: fc.constant("2.0"),
      id: fc.integer(),
      method: fc.constantFrom(...methods),
      params: fc.jsonValue(),
    });
    const line = fc.oneof(
      frame.map((value) => JSON.stringify(value)),
      fc.json(),
      fc.string().map((text) => `!${text.replaceAll(/[\r\n]/g, "")}`),
    );
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        const answer = await rpc.send(text);
        expect(answer).toSatisfy((one: Message) => Array.isArray(one) || "result" in one || "error" in one);
      }),
      { numRuns: cases(500) },
    );
    expect((await rpc.result("context.inspect")).snapshot_version).toEqual(expect.any(Number));
  });

  it.each([
    ["SIGTERM", 0],
    ["SIGINT", 130],
  ] as const)("ends on %s with %i", async (signal, code) => {
    using folder = makeProject();
    await using rpc = new Rpc(folder);
    await rpc.result("skills.list");
    rpc.process.kill(signal);
    expect((await once(rpc.process, "exit"))[0]).toBe(code);
  });

  it("ends the run in flight with it, and leaves no process", async () => {
    using folder = makeTypedProject({
      [`${REPO}/waiting/SKILL.md`]: skillText(
        "waiting",
        "Waits.",
        "invocation_mode: tool_dispatch\ncommand_tool: waits\n",
      ),
    });
    folder.write({ "home/": "" });
    await using rpc = new Rpc(folder);
    await rpc.result("skills.list");
    rpc.process.stdin?.write(
      '{"jsonrpc":"2.0","id":7,"method":"commands.execute","params":{"input":"/skill waiting {}"}}\n',
    );
    const children = (): string[] => childrenOf(rpc.process.pid);
    await expect.poll(() => children().length).toBeGreaterThan(0);
    const started = children();
    rpc.process.kill("SIGTERM");
    expect((await once(rpc.process, "exit"))[0]).toBe(0);
    expect(started.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  });

  it("ends with 0 at the end of its input, and answers what came before", async () => {
    using folder = makeProject();
    await using rpc = new Rpc(folder);
    const answer = rpc.call("skills.list");
    rpc.process.stdin?.end();
    expect((await answer).result).toBeDefined();
    const code = rpc.process.exitCode ?? (await once(rpc.process, "exit"))[0];
    expect(code).toBe(0);
  });

  it("does not start with a wrong configuration, and says where it is wrong", async () => {
    using folder = makeProject({ "home/.knack/config.yaml": "permissions: { allow: [{ tol: x }] }\n" });
    await using rpc = new Rpc(folder);
    expect((await once(rpc.process, "exit"))[0]).toBe(1);
    expect(rpc.stderr).toContain("config.yaml:1");
  });
});

function childrenOf(pid: number | undefined): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
}
