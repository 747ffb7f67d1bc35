import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Picture, Tool, ToolContext, ToolResult } from "../access/tool.ts";
import { EDGE_TYPES, type Edge, type EdgeType } from "../graph/edge.ts";
import { createRuntime } from "../live/create-runtime.ts";
import { KnackError } from "../shared/errors.ts";
import { cases } from "../shared/testing/cases.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { makeFolder, skillText } from "../testing/files.ts";
import { allOf, type Dispatched, Dispatcher, type DispatchOptions } from "./dispatcher.ts";
import { isRefusal, type Refusal } from "./guards.ts";
import type { DispatchCaller } from "./running-frames.ts";

const ROOT = "tao-of-coding";
const NAMES = [ROOT, "a", "b", "c", "d", "e"];

interface Graph {
  readonly edges: Readonly<
    Record<string, readonly { readonly to: string; readonly type: EdgeType; readonly alternative: boolean }[]>
  >;
  readonly start: string;
  readonly maxDepth: number;
  readonly reentry: boolean;
  readonly visited: readonly string[];
  readonly dispatches: number;
  readonly denied: readonly string[];
  readonly failing: readonly string[];
  /** Skills that call a tool; no model reads them, and nothing is loaded for them. */
  readonly tools: readonly string[];
}

interface Result {
  /** Everything that was loaded, in order. */
  readonly loaded: string[];
  /** Code, caller and target of every refusal, in order. */
  readonly refused: string[];
}

/** The pseudocode of document 000 §5, word for word where it speaks; the refusals are those of §4. */
function model(graph: Graph): Result {
  const loaded: string[] = [];
  const refused: string[] = [];
  let left = graph.dispatches;
  const run = (request: { current: string; depth: number; visited: readonly string[] }): void => {
    if (graph.failing.includes(request.current)) return;
    const seen = new Set<string>();
    for (const { to, type, alternative } of graph.edges[request.current] ?? []) {
      if (type !== "requires_now" || alternative || seen.has(to)) continue;
      seen.add(to);
      const no = (code: string): void => void refused.push(`${code} ${request.current} ${to}`);
      if (to === ROOT) no("E_ROOT_RELOAD_BLOCKED");
      else if (!graph.reentry && request.visited.includes(to)) no("E_SKILL_REENTRY_BLOCKED");
      else if (request.depth + 1 > graph.maxDepth) no("E_DEPTH_LIMIT");
      else if (left === 0) no("E_BUDGET");
      else {
        left--;
        if (graph.denied.includes(to)) {
          no("ACCESS_DENIED");
          continue;
        }
        loaded.push(...(graph.tools.includes(to) ? [`call ${to}`] : ["role", to]));
        run({ current: to, depth: request.depth + 1, visited: [...request.visited, to] });
      }
    }
  };
  const { start } = graph;
  if (!graph.reentry && graph.visited.includes(start))
    return { loaded, refused: [`E_SKILL_REENTRY_BLOCKED null ${start}`] };
  left--;
  if (graph.denied.includes(start)) return { loaded, refused: ["thrown"] };
  const rootIsDenied = graph.denied.includes(ROOT);
  if (graph.tools.includes(start)) {
    loaded.push(`call ${start}`);
    run({ current: start, depth: 0, visited: [...graph.visited, start] });
    return { loaded, refused };
  }
  if (start !== ROOT) {
    if (rootIsDenied) refused.push(`ACCESS_DENIED null ${ROOT}`);
    else loaded.push(ROOT);
  }
  loaded.push("role", start);
  run({ current: start, depth: 0, visited: [...graph.visited, start] });
  return { loaded, refused };
}

const DONE_BY_TOOL = { data: {}, text: "Done." };
const TEN = Array.from({ length: 10 }, (_, at) => `s${at}`);
const folder = makeFolder({
  "home/": "",
  ...Object.fromEntries(
    [...NAMES, ...TEN].map((name) => [`skills/${name}/SKILL.md`, skillText(name, `Does ${name}.`)]),
  ),
});
afterAll(() => folder[Symbol.dispose]());
/** What a person's call gets, as a tool sees it. */
const base = await new Promise<ToolContext>((done) => {
  const run: Tool["run"] = async (_params, context) => {
    done(context);
    return DONE_BY_TOOL;
  };
  const roots = [{ path: folder.at("skills"), scope: "user" as const }];
  const tools = [{ name: "look", description: "", inputSchema: {}, run }];
  const place = { cwd: folder.path, home: folder.at("home"), env: {}, cache: false as const };
  void createRuntime({ ...place, roots, tools }).then((runtime) =>
    runtime.session().call("look", {}, { actor: "person" }),
  );
});
const { catalog } = base;
const pathOf = (name: string): string => folder.at(`skills/${name}/SKILL.md`);
interface World {
  readonly denied?: readonly string[];
  /** Skills that call a tool of their own name, and what it does. */
  readonly tools?: readonly string[];
  readonly call?: (name: string) => ToolResult;
}

/** A conversation about these skills. */
function contextIn({ denied = [], tools = [], call = () => DONE_BY_TOOL }: World): ToolContext {
  const registry = tools.map((name): [string, Tool] => [
    name,
    { name, description: "", inputSchema: {}, typed: "project", run: async () => call(name) },
  ]);
  const deny = denied.map((name) => ({ tool: "skill_dispatch", skill_name: name }));
  const picture: Picture = {
    ...base.picture.now,
    policy: {
      permissions: { allow: [], deny, default: null },
      disabled: [],
      locked: { repo: false, user: false },
    },
    registry: new Map(registry),
  };
  return { ...base, picture: { now: picture, renew: async () => picture } };
}

const edge = (from: string, to: string, type: EdgeType, alternative = false): Edge => ({
  from,
  fromPath: pathOf(from),
  to,
  toPath: pathOf(to),
  type,
  alternative,
  line: 1,
  text: "",
});

const outermost = (more: Partial<DispatchCaller>): DispatchCaller => ({
  requestId: "r",
  skill: null,
  depth: null,
  stack: [],
  visitedNames: [],
  visited: [],
  rootLoaded: false,
  policy: { forbid_root_reload: true, max_depth: 6, allow_reentry: true },
  rootSkills: [],
  ...more,
});

const wanted = (name: string, caller: DispatchCaller) => ({
  caller,
  target: catalog.resolve(name),
  edge: "requires_now" as const,
  role: "fixer" as const,
  task: "t",
  allowedTools: null,
});

/** A dispatcher whose edges are given, and whose runner only says its exit code. */
function dispatcherIn(
  context: ToolContext,
  edgesOf: (name: string) => Edge[],
  run: (frame: string) => number,
  limits: DispatchOptions["limits"] = {},
): Dispatcher {
  class Modelled extends Dispatcher {
    override edgesOf = async ({ name }: SkillMetadata) => edgesOf(name);
    protected override run = async ({ frame }: Dispatched) => ({
      exit_code: run(frame),
      signal: null,
      timed_out: false,
    });
  }
  return new Modelled({ runner: { name: "none", argv: ["none"] }, limits }, context, { env: {}, frames: "" });
}

/** The dispatcher on the same graph; what it loads is read off its frames. */
async function dispatcher(graph: Graph): Promise<Result & { tree: Dispatched | Refusal | undefined }> {
  const loaded: string[] = [];
  const context = contextIn({
    ...graph,
    call: (name) => {
      loaded.push(`call ${name}`);
      if (graph.failing.includes(name)) throw new KnackError("EXECUTION_ERROR", "No.");
      return DONE_BY_TOOL;
    },
  });
  const edgesOf = (name: string): Edge[] => {
    const edges = (graph.edges[name] ?? []).filter(
      ({ to, type, alternative }, at, all) =>
        all.findIndex((one) => one.to === to && one.type === type && one.alternative === alternative) === at,
    );
    return edges.map(({ to, type, alternative }) => edge(name, to, type, alternative));
  };
  const run = (frame: string): number => {
    const titles = [...frame.matchAll(/^## (Role guide|Root skill|Skill): (.*)$/gm)];
    const files = titles.map(([, title, path = ""]) =>
      title === "Role guide" ? "role" : (path.split("/").at(-2) ?? path),
    );
    loaded.push(...files);
    return graph.failing.includes(files.at(-1) ?? "") ? 1 : 0;
  };
  const caller = outermost({
    stack: [...graph.visited],
    visitedNames: graph.visited,
    visited: graph.visited.map(pathOf),
    policy: { forbid_root_reload: true, max_depth: graph.maxDepth, allow_reentry: graph.reentry },
    rootSkills: [pathOf(ROOT)],
  });
  const limits = { dispatches: graph.dispatches };
  const told = ({ code, current_skill, target_skill }: Refusal): string =>
    `${code} ${current_skill} ${target_skill}`;
  try {
    const tree = await dispatcherIn(context, edgesOf, run, limits).dispatch(wanted(graph.start, caller));
    return { loaded, refused: (isRefusal(tree) ? [tree] : tree.refusals).map(told), tree };
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    return { loaded, refused: ["thrown"], tree: undefined };
  }
}

const some = (names: readonly string[]) => fc.subarray([...names]);
const graphs: fc.Arbitrary<Graph> = fc.record({
  edges: fc.dictionary(
    fc.constantFrom(...NAMES),
    fc.array(
      fc.record({
        to: fc.constantFrom(...NAMES),
        type: fc.constantFrom("requires_now", ...EDGE_TYPES),
        alternative: fc.constantFrom(false, false, false, true),
      }),
      { maxLength: 5 },
    ),
  ),
  start: fc.constantFrom(...NAMES),
  maxDepth: fc.integer({ min: 0, max: 4 }),
  reentry: fc.boolean(),
  visited: fc.oneof(fc.constant<string[]>([]), some(NAMES.slice(1))),
  dispatches: fc.oneof(fc.constant(256), fc.integer({ min: 1, max: 12 })),
  denied: fc.oneof(fc.constant<string[]>([]), some(NAMES)),
  failing: fc.oneof(fc.constant<string[]>([]), some(NAMES)),
  tools: fc.oneof(fc.constant<string[]>([]), some(NAMES)),
});

describe("000 §5 the pseudocode, as a model", () => {
  it("generated graphs: the same skills loaded, the same refusals, and it always ends", async () => {
    await fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const { loaded, refused, tree } = await dispatcher(graph);
        expect({ loaded, refused }).toEqual(model(graph));
        if (!tree || isRefusal(tree)) return;
        const all = allOf(tree);
        expect(all.length).toBeLessThanOrEqual(graph.dispatches);
        for (const { header } of all) {
          const { trace, identity, execution_mode } = header;
          expect(trace.depth).toBeLessThanOrEqual(graph.maxDepth);
          expect(trace.skill_stack.at(-1)).toBe(identity.current_skill);
          expect(trace.visited_skills).not.toContain(identity.current_skill);
          expect(execution_mode).toBe(trace.depth === 0 ? "root" : "delegated");
          if (!graph.reentry) expect(new Set(trace.skill_stack).size).toBe(trace.skill_stack.length);
        }
        // The root skill's text is in one frame at most, and that is the outermost.
        const withRoot = all.filter(({ files }) => files.includes(pathOf(ROOT)));
        expect(withRoot.every((one) => one === tree)).toBe(true);
      }),
      { numRuns: cases(3_000) },
    );
  });

  it("a fan-out of ten at every level, six levels deep, stops at the budget of the whole tree", async () => {
    let runs = 0;
    const edgesOf = (name: string): Edge[] => TEN.map((to) => edge(name, to, "requires_now"));
    const run = (): number => {
      runs++;
      return 0;
    };
    const tree = await dispatcherIn(contextIn({}), edgesOf, run).dispatch(wanted("s0", outermost({})));
    expect(runs).toBe(256);
    const refusals = isRefusal(tree) ? [] : tree.refusals;
    expect(refusals.find(({ code }) => code === "E_BUDGET")?.message).toBe(
      "This dispatch tree has used all of its 256 dispatches. Continue without the skill, or start a new dispatch for it.",
    );
  });
});
