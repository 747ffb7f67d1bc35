import { describe, expect, it, vi } from "vitest";
import type { SessionEvent, Tool } from "../access/tool.ts";
import { skillGraph } from "../graph/load-graph.ts";
import { KnackError } from "../shared/errors.ts";
import { type Folder, makeFolder, skillText } from "../testing/files.ts";
import type { DispatchRequest } from "./dispatch-request.ts";
import { allOf, type Dispatched, type DispatchOptions } from "./dispatcher.ts";
import type { Refusal } from "./guards.ts";
import { AT, PROJECT, sessionIn, skill, whole } from "./testing/dispatch-project.ts";

const CALLS_ECHO = "invocation_mode: tool_dispatch\ncommand_tool: echo\n";
const FILES = {
  ...PROJECT,
  "repo/skills/registry.yaml": "version: 1\nskills: [{ name: measure }, { name: stays }]\n",
  ...skill("tao-of-coding"),
  ...skill("alpha", "measure say beta"),
  ...skill("beta"),
  ...skill("say", "", CALLS_ECHO),
};
/** Fails where it could not have been started. */
const RUNNER = { name: "true", argv: ["true"] };

/** A tool of the host, and two typed skills; each keeps what it was called with. */
function makeTools(): { readonly calls: unknown[]; readonly tools: readonly Tool[] } {
  const calls: unknown[] = [];
  const inputSchema = { type: "object" };
  const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
    name,
    description: "d",
    inputSchema,
    run: async (params) => {
      calls.push([name, params]);
      if (params.fail === true) throw new KnackError("EXECUTION_ERROR", "It does not go.");
      return { data: { name }, text: `${name} did it.` };
    },
    ...more,
  });
  const typed = { typed: "project" as const, endsItself: true };
  const never: Tool["run"] = (_params, { signal }) =>
    new Promise((_done, fail) => signal?.addEventListener("abort", () => fail(new Error("ended"))));
  return { calls, tools: [tool("echo"), tool("measure", typed), tool("stays", { ...typed, run: never })] };
}

interface Scene {
  readonly calls: unknown[];
  readonly events: SessionEvent[];
  readonly outcome: Dispatched | Refusal;
}

async function dispatched(
  folder: Folder,
  more: Partial<DispatchRequest>,
  options: DispatchOptions & { readonly actor?: "model"; readonly signal?: AbortSignal } = { runner: RUNNER },
): Promise<Scene> {
  const { calls, tools } = makeTools();
  const events: SessionEvent[] = [];
  const session = await sessionIn(folder, { tools, observe: async (event) => void events.push(event) });
  const request = { role: "fixer", skill: { name: "alpha" }, requestId: "r-1", ...more } as const;
  return { calls, events, outcome: await session.dispatch(request, { actor: "person", ...options }) };
}

describe("a skill that calls a tool is dispatched without a model", () => {
  it.each([
    ["tool_dispatch", "say", "echo"],
    ["a typed skill without a SKILL.md", "measure", "measure"],
    ["the same by its identity", "typed:measure", "measure"],
  ])("%s", async (_what, name, tool) => {
    using folder = makeFolder(FILES);
    const { calls, events, outcome } = await dispatched(folder, { skill: { name }, prompt: '{"a": 1}' });
    const { header, runner, tool: call, files, children, refusals } = whole(outcome);
    expect(calls).toEqual([[tool, { a: 1 }]]);
    expect({ runner, files, children, refusals }).toEqual({
      runner: null,
      files: [],
      children: [],
      refusals: [],
    });
    expect(call).toMatchObject({ name: tool, arguments: { a: 1 }, result: { status: "success" } });
    const own = name.replace("typed:", "");
    expect(header).toMatchObject({
      execution_mode: "root",
      identity: { role: "fixer", current_skill: own, origin_skill: null, root_loaded: false },
      trace: { request_id: "r-1", depth: 0, skill_stack: [own], visited_skills: [] },
    });
    const told = events.filter(({ type }) => type === "DISPATCHED").map(({ data }) => data);
    expect(told).toMatchObject([
      { status: "started", tool, depth: 0 },
      { status: "ended", tool, result: "success" },
      { status: "finished", request_id: "r-1", dispatched: 1, failed: [], refused: 0 },
    ]);
  });

  it("a SKILL.md of a typed skill's name is run by its entry", async () => {
    using folder = makeFolder({ ...FILES, "repo/skills/measure/SKILL.md": "How to measure.\n" });
    const { calls, outcome } = await dispatched(folder, { skill: { name: "measure" } });
    expect(calls).toEqual([["measure", {}]]);
    expect(whole(outcome).header.identity.current_skill).toBe("measure");
  });

  it("a tool of the host is no typed skill, whatever a skill is called", async () => {
    using folder = makeFolder({ ...FILES, ...skill("echo") });
    const { calls, outcome } = await dispatched(folder, { skill: { name: "echo" } });
    expect([calls, whole(outcome).runner?.exit_code]).toEqual([[], 0]);
    await expect(dispatched(makeFolder(FILES), { skill: { name: "echo" } })).rejects.toThrow(/No skill/);
  });

  it("a root skill that calls a tool is read by nobody, and the work goes on without it", async () => {
    using folder = makeFolder({ ...FILES, ...skill("tao-of-coding", "beta", CALLS_ECHO) });
    const { calls, outcome } = await dispatched(folder, { skill: { name: "beta" } }, {});
    const { frame, files, refusals } = whole(outcome);
    expect(refusals).toMatchObject([{ target_skill: "tao-of-coding", code: "ACCESS_DENIED" }]);
    expect([frame, files.join()]).toEqual([
      expect.not.stringContaining("tao-of-coding"),
      expect.not.stringContaining("tao-of-coding"),
    ]);
    expect(calls).toEqual([]);
  });

  it("without a runner it is told what would be called, and nothing is", async () => {
    using folder = makeFolder(FILES);
    const { calls, events, outcome } = await dispatched(
      folder,
      { skill: { name: "measure" }, prompt: '{"text": "```"}' },
      {},
    );
    const { frame, tool, children } = whole(outcome);
    expect({ calls, tool, children }).toEqual({
      calls: [],
      tool: { name: "measure", arguments: { text: "```" }, result: null },
      children: [],
    });
    expect(frame).toMatch(
      /^# Runtime header\n\n```yaml\nexecution_mode: root\n[\s\S]*# Call\n[\s\S]*````json\n\{\n {2}"text": "```"\n\}\n````$/,
    );
    expect(events.map(({ data }) => data.status)).toContain("framed");
  });

  it("as children they run in the order of the text, among those that a model reads", async () => {
    using folder = makeFolder(FILES);
    const { calls, outcome } = await dispatched(folder, { prompt: "prose" });
    const tree = whole(outcome);
    expect(allOf(tree).map(({ header }) => header.identity.current_skill)).toEqual([
      "alpha",
      "measure",
      "say",
      "beta",
    ]);
    // A typed skill reads no prose, so text for its caller is not passed as arguments.
    expect(calls).toEqual([
      ["measure", {}],
      ["echo", { args: "prose" }],
    ]);
    expect(tree.children[0]?.header).toMatchObject({
      execution_mode: "delegated",
      identity: { origin_skill: "alpha", root_loaded: true },
      trace: { depth: 1, skill_stack: ["alpha", "measure"], visited_skills: ["alpha"] },
    });
  });

  it("a text names typed skills too", async () => {
    using folder = makeFolder({
      ...FILES,
      [`${AT}/gamma/SKILL.md`]: `${skillText("gamma")}**REQUIRED SUB-SKILL:** Use the \`measure\` skill.\n`,
    });
    expect((await dispatched(folder, { skill: { name: "gamma" } })).calls).toEqual([["measure", {}]]);
  });

  it("the graph has a typed skill where another needs it, and takes none for dangling", async () => {
    using folder = makeFolder({ ...FILES, ...skill("alpha", "measure say text_extract nowhere") });
    const { catalog } = await sessionIn(folder, { tools: makeTools().tools });
    const { nodes, edges, dangling } = await skillGraph(catalog);
    expect(edges.map(({ from, to, toPath }) => [from, to, toPath?.startsWith("typed:") ?? null])).toEqual([
      ["alpha", "measure", true],
      ["alpha", "say", false],
      ["alpha", "text_extract", true],
      ["alpha", "nowhere", null],
    ]);
    expect(nodes.map(({ name }) => name).slice(-2)).toEqual(["text_extract", "measure"]);
    expect(dangling.map(({ name }) => name)).toEqual(["nowhere"]);
  });
});

describe("000 §4 holds for what calls a tool", () => {
  it.each(["measure", "typed:measure", "MEASURE", "$measure"])("%s was visited", async (word) => {
    using folder = makeFolder(FILES);
    const delegated = { depth: 0, edgeType: "requires_now", visited: [word] } as const;
    for (const name of ["measure", "typed:measure"])
      expect((await dispatched(folder, { ...delegated, skill: { name } })).outcome).toMatchObject({
        code: "E_SKILL_REENTRY_BLOCKED",
        target_skill: "measure",
      });
  });

  it("the text of a typed skill and its entry are one", async () => {
    using folder = makeFolder({ ...FILES, "repo/skills/measure/SKILL.md": "How to measure.\n" });
    const delegated = { depth: 0, edgeType: "requires_now" } as const;
    for (const [name, word] of [
      ["measure", "typed:measure"],
      ["typed:measure", "measure"],
    ] as const) {
      const { outcome } = await dispatched(folder, { ...delegated, skill: { name }, visited: [word] });
      expect(outcome).toMatchObject({ code: "E_SKILL_REENTRY_BLOCKED" });
    }
  });
});

describe("what may be called", () => {
  const deny = (rule: string) => ({
    ...FILES,
    "home/.knack/config.yaml": `permissions: { deny: [${rule}] }\n`,
  });

  it.each([
    ["skill_load", "say"],
    ["skill_dispatch", "say"],
    ["skill_dispatch", "measure"],
  ])("a deny of %s holds for %s", async (tool, name) => {
    using folder = makeFolder(deny(`{ tool: ${tool}, skill_name: ${name} }`));
    await expect(dispatched(folder, { skill: { name } })).rejects.toThrow(/denies the skill/);
    const { calls, outcome } = await dispatched(folder, {});
    expect(whole(outcome).refusals).toMatchObject([{ code: "ACCESS_DENIED", target_skill: name }]);
    expect(calls).toHaveLength(1);
  });

  it("a deny of the tool holds however it is called", async () => {
    using folder = makeFolder(deny("{ tool: measure }"));
    const { outcome } = await dispatched(folder, { skill: { name: "measure" } });
    expect(whole(outcome).tool?.result?.error?.code).toBe("ACCESS_DENIED");
  });

  it("tools become fewer on the way: what one of the skills leaves out is not called", async () => {
    using folder = makeFolder({
      ...FILES,
      ...skill("alpha", "measure say beta", "allowed-tools: measure read\n"),
    });
    const { calls, outcome } = await dispatched(folder, {});
    expect(whole(outcome).refusals).toMatchObject([{ code: "ACCESS_DENIED", target_skill: "say" }]);
    expect(calls).toEqual([["measure", {}]]);
  });

  it("a model is asked for what executes, and for nothing else", async () => {
    using folder = makeFolder(FILES);
    const asked: string[] = [];
    const { tools } = makeTools();
    const session = await sessionIn(folder, {
      tools: tools.map((tool) => (tool.name === "measure" ? { ...tool, executes: true } : tool)),
      confirm: async ({ tool, skill }) => {
        asked.push(`${tool} ${skill?.name ?? ""}`);
        return "yes";
      },
    });
    const request = { role: "fixer", skill: { name: "alpha" }, requestId: "r" } as const;
    whole(await session.dispatch(request, { runner: RUNNER }));
    expect(asked).toEqual(["skill_dispatch alpha", "measure ", "skill_dispatch beta"]);
  });

  it("a skill that goes to a runner is not taken for read in this conversation", async () => {
    using folder = makeFolder(FILES);
    const session = await sessionIn(folder, { tools: makeTools().tools });
    const request = { role: "fixer", skill: { name: "beta" }, requestId: "r" } as const;
    await session.dispatch(request, { actor: "person", runner: RUNNER });
    expect((await session.call("skill_load", { name: "beta" })).data.already_loaded).toBe(false);
  });
});

describe("time", () => {
  it("the limit of a runner is that of a tool", async () => {
    using folder = makeFolder(FILES);
    const limits = { runnerMs: 50 };
    const { outcome } = await dispatched(folder, { skill: { name: "stays" } }, { runner: RUNNER, limits });
    expect(whole(outcome).tool?.result?.error?.code).toBe("TIMEOUT");
  });

  it("what is broken off says so in the log", async () => {
    using folder = makeFolder(FILES);
    const events: SessionEvent[] = [];
    const session = await sessionIn(folder, {
      tools: makeTools().tools,
      observe: async (event) => void events.push(event),
    });
    const giveUp = new AbortController();
    const request = { role: "fixer", skill: { name: "stays" }, requestId: "r" } as const;
    const options = { actor: "person", runner: RUNNER, signal: giveUp.signal } as const;
    const broken = expect(session.dispatch(request, options)).rejects.toThrow();
    await vi.waitUntil(() => events.some(({ data }) => data.status === "started"));
    giveUp.abort();
    await broken;
    const told = events.filter(({ type }) => type === "DISPATCHED").map(({ data }) => data.status);
    expect(told).toEqual(["started", "interrupted"]);
  });
});
