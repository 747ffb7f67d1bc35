import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { REPO } from "../cli/run.ts";
import { makeTypedProject } from "../cli/typed-skills.ts";
import { callText, connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { INITIALIZE, lines } from "../mcp/raw-requests.ts";
import { type ReceivedSpan, Receiver, runProgram, treeOf } from "./receiver.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name);
  expect(found, `${name} in\n${treeOf(spans).join("\n")}`).toBeDefined();
  return found!;
};

const PLAN = `version: 1
plan: two
tasks:
  - { id: first, skill: says, params: { text: one } }
  - { id: second, skill: says, depends_on: [first], params: { text: two } }
`;

describe("traces", () => {
  it("of a run: its steps, and then the cached result", async () => {
    using folder = makeTypedProject();
    await using receiver = await Receiver.start();
    const env = { ...receiver.env, OTEL_METRICS_EXPORTER: "none" };
    const ended = await runProgram(folder, ["run", "says", "--param", "text=x", "--json"], env);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    const { spans } = receiver;
    expect(treeOf(spans)).toEqual([
      "knack run",
      "  run",
      "    run.prepare",
      "    run.claim",
      "      db.transaction",
      "    run.execute",
      "    run.record",
      "      db.transaction",
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const { id, key, isolation } = JSON.parse(ended.stdout);
    expect(named(spans, "run").attributes).toEqual({
      "knack.skill.name": "says",
      "knack.run.id": id,
      "knack.run.key": key,
      "knack.run.status": "SUCCEEDED",
      "knack.run.cached": false,
      "knack.run.isolation": isolation,
    });
    expect(named(spans, "knack run").attributes).toEqual({ "knack.command": "run", "process.exit.code": 0 });
    expect(named(spans, "db.transaction").attributes).toEqual({
      "db.system.name": "sqlite",
      "db.operation.name": "transaction",
      "knack.db.durable": false,
    });
    expect(receiver.resource).toMatchObject({
      "service.name": "knack",
      "service.version": expect.stringMatching(/^\d/),
      "service.instance.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });

    receiver.requests.length = 0;
    await runProgram(folder, ["run", "says", "--param", "text=x"], env);
    expect(treeOf(receiver.spans)).toEqual([
      "knack run",
      "  run",
      "    run.prepare",
      "    run.claim",
      "    run.record",
      "      db.transaction",
    ]);
    expect(named(receiver.spans, "run").attributes["knack.run.cached"]).toBe(true);
  });

  it("of a plan: each task with its run", async () => {
    using folder = makeTypedProject({ "repo/plan.yaml": PLAN });
    await using receiver = await Receiver.start();
    expect((await runProgram(folder, ["plan", "run", "plan.yaml", "--json"], receiver.env)).code).toBe(0);
    const { spans } = receiver;
    const tree = treeOf(spans).filter((line) => !/db\.|run\.(?:prepare|claim|execute|record)/.test(line));
    expect(tree).toEqual([
      "knack plan run",
      "  plan.run",
      "    plan.task",
      "      run",
      "    plan.task",
      "      run",
    ]);
    expect(named(spans, "plan.run").attributes).toEqual({ "knack.plan.id": "two", "knack.plan.tasks": 2 });
    const tasks = spans.filter(({ name }) => name === "plan.task").map(({ attributes }) => attributes);
    expect(
      tasks.map((task) => [task["knack.plan.id"], task["knack.task.id"], task["knack.skill.name"]]),
    ).toEqual([
      ["two", "first", "says"],
      ["two", "second", "says"],
    ]);
    expect(named(spans, "run").attributes).toMatchObject({
      "knack.plan.id": "two",
      "knack.task.id": "first",
    });
  });

  it("say that a command failed, by its code", async () => {
    using folder = makeTypedProject();
    await using receiver = await Receiver.start();
    expect((await runProgram(folder, ["run", "nothing-of-this-name"], receiver.env)).code).toBe(1);
    const root = named(receiver.spans, "knack run");
    expect([root.failed, root.attributes["error.type"]]).toEqual([true, "NOT_FOUND"]);
    expect(receiver.text).not.toContain("nothing-of-this-name");
  });

  it("join the trace of the program that started this one, unless OTEL_PROPAGATORS says none", async () => {
    using folder = makeTypedProject();
    await using receiver = await Receiver.start();
    const env = { ...receiver.env, TRACEPARENT, TRACESTATE: "vendor=1" };
    await runProgram(folder, ["list"], env);
    await runProgram(folder, ["list"], { ...env, OTEL_PROPAGATORS: "none" });
    await runProgram(folder, ["list"], { ...env, TRACEPARENT: "00-nothing-valid-01" });
    const [joined, apart, invalid] = receiver.spans;
    expect([joined?.traceId, joined?.parentSpanId]).toEqual([TRACE, PARENT]);
    for (const span of [apart, invalid]) {
      expect(span?.parentSpanId).toBe("");
      expect(span?.traceId).not.toBe(TRACE);
    }
  });

  it("are handed on to what a run and a runner start", async () => {
    const says =
      "export const run = () => ({ status: 'SUCCEEDED', artifacts: [], error: null, evidences: [{ kind: 'SAID', data: { text: process.env.TRACEPARENT ?? 'none' } }] });\n";
    using folder = makeTypedProject({ "repo/impl/says.mjs": says, [`${REPO}/a/SKILL.md`]: skillText("a") });
    await using receiver = await Receiver.start();
    const run = JSON.parse((await runProgram(folder, ["run", "says", "--json"], receiver.env)).stdout);
    const execute = named(receiver.spans, "run.execute");
    // In bubblewrap nothing of Knack can be reached, so there is nobody to hand it to.
    const isReachable = run.isolation !== "bubblewrap";
    expect(run.evidences[0].data.text).toBe(
      isReachable ? `00-${execute.traceId}-${execute.spanId}-01` : "none",
    );

    const show = `${process.execPath} -e console.log(process.env.TRACEPARENT)`;
    const dispatch = ["dispatch", "--role", "fixer", "--skill", "a", "--prompt", "x", "--runner-cmd", show];
    const { stdout } = await runProgram(folder, dispatch, receiver.env);
    const root = named(receiver.spans, "knack dispatch");
    expect(stdout.trim()).toMatch(new RegExp(`^00-${root.traceId}-[0-9a-f]{16}-01$`));
    const off = await runProgram(folder, dispatch);
    expect(off.stdout.trim()).toBe("undefined");
  });

  it("of MCP on standard input: the request, the tool, and what it did; a request can bring its parent", async () => {
    using folder = makeTypedProject({ [`${REPO}/reviews/SKILL.md`]: skillText("reviews", "Reviews code.") });
    await using receiver = await Receiver.start();
    const call = (id: number, name: string, args: object, _meta?: object): object => ({
      ...{ id, method: "tools/call" },
      params: { name, arguments: args, _meta },
    });
    const input = lines(
      INITIALIZE,
      { method: "notifications/initialized" },
      call(2, "skill_search", { query: "words-of-the-user" }, { traceparent: TRACEPARENT }),
      call(3, "skill_load", { name: "reviews" }),
      call(4, "skill_load", { name: "not-there" }),
      call(5, "no-such-tool", {}),
      { id: 6, method: "made-up/method", params: {} },
    );
    const ended = await runProgram(folder, ["mcp"], receiver.env, input);
    expect(ended.code).toBe(0);
    expect(ended.stdout.trim().split("\n")).toHaveLength(6);
    const { spans } = receiver;
    const search = named(spans, "tools/call skill_search");
    expect([search.traceId, search.parentSpanId, search.kind]).toEqual([TRACE, PARENT, 2]);
    expect(search.attributes).toEqual({
      "mcp.method.name": "tools/call",
      "gen_ai.tool.name": "skill_search",
      "jsonrpc.request.id": "2",
      "network.transport": "pipe",
    });
    expect(named(spans, "skill.search").parentSpanId).toBe(search.spanId);
    const load = named(spans, "skill.load");
    expect(load.attributes).toEqual({ "knack.skill.name": "reviews", "knack.skill.already_loaded": false });
    const loads = ["3", "4"].map((id) => spans.find((one) => one.attributes["jsonrpc.request.id"] === id)!);
    expect(loads.map(({ attributes, failed }) => [attributes["error.type"], failed])).toEqual([
      [undefined, false],
      ["NOT_FOUND", true],
    ]);
    expect(load.parentSpanId).toBe(loads[0]?.spanId);
    expect(named(spans, "tools/call").attributes["error.type"]).toBe("JSONRPC_32602");
    expect(named(spans, "_OTHER").attributes["mcp.method.name"]).toBe("_OTHER");
    for (const word of ["words-of-the-user", "not-there", "no-such-tool", "made-up"])
      expect(receiver.text).not.toContain(word);
  });

  it("of HTTP: the route and never the path, the query or the token; MCP and runs below it", async () => {
    using folder = makeTypedProject({
      "home/.knack/config.yaml": "permissions: { allow: [{ tool: says }] }\n",
    });
    await using receiver = await Receiver.start();
    const server = await Server.start(folder, { env: { KNACK_TRUST: "all", ...receiver.env } });
    const { token } = server;
    await server.get("/api/search?q=words-of-the-user", { traceparent: TRACEPARENT });
    await server.get("/api/runs/some-id-of-a-run");
    await server.get("/nothing/at/all");
    await fetch(`${server.url}/api/skills`);
    for (const revision of ["2026-07-28", "2025-11-25"]) {
      const client = await connectClient(server, { revision });
      await callText(client, "says", { params: { text: `content-of-a-parameter ${revision}` } });
      await client.close();
    }
    expect(await server.end()).toBe(0);
    const { spans } = receiver;
    const search = named(spans, "GET /api/search");
    expect([search.traceId, search.parentSpanId, search.kind]).toEqual([TRACE, PARENT, 2]);
    expect(search.attributes).toEqual({
      "http.request.method": "GET",
      "http.route": "/api/search",
      "http.response.status_code": 200,
      "url.scheme": "http",
    });
    expect(named(spans, "skill.search").parentSpanId).toBe(search.spanId);
    expect(named(spans, "GET /api/runs/{id}").attributes["http.response.status_code"]).toBe(404);
    const unknown = spans.filter(({ name }) => name === "GET");
    expect(unknown.map(({ attributes }) => attributes["http.response.status_code"]).sort()).toEqual([
      401, 404,
    ]);
    const calls = spans.filter(({ name }) => name === "tools/call says");
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      const post = spans.find(({ spanId }) => spanId === call.parentSpanId);
      expect([post?.name, post?.attributes["http.route"]]).toEqual(["POST /mcp", "/mcp"]);
      // Once there is a database, the record of the permission is a transaction beside it.
      const runs = spans.filter(({ name, parentSpanId }) => name === "run" && parentSpanId === call.spanId);
      expect(runs).toHaveLength(1);
    }
    for (const word of [
      token,
      "words-of-the-user",
      "some-id-of-a-run",
      "nothing/at",
      "content-of-a-parameter",
    ])
      expect(receiver.text).not.toContain(word);
  });

  it("follow the variables for names, headers, samplers and where to send", async () => {
    using folder = makeTypedProject();
    await using receiver = await Receiver.start();
    const env = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/own/path`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=for-the-collector",
      OTEL_SERVICE_NAME: "team-knack",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.version=7",
    };
    await runProgram(folder, ["list"], env);
    expect(receiver.requests.map(({ path, headers }) => [path, headers["x-key"]])).toEqual([
      ["/own/path", "for-the-collector"],
    ]);
    expect(receiver.text).toContain('"team-knack"');
    expect(receiver.text).toContain("deployment.environment.name");
    expect(receiver.text).not.toContain("for-the-collector");
    receiver.requests.length = 0;
    await runProgram(folder, ["list"], { ...env, OTEL_TRACES_SAMPLER: "always_off" });
    expect(receiver.requests).toEqual([]);
  });
});
