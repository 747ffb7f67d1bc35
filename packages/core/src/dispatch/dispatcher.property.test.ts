import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillNamed } from "../../../../test/edges/skill-named.ts";
import { answered, type Envelope, refused, ToolError } from "../access/envelope.ts";
import { EDGE_TYPES, type EdgeType } from "../graph/extract/edge.ts";
import { cases } from "../shared/testing/cases.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { LIMITS } from "./budget.ts";
import type { DispatchPorts } from "./dispatch-ports.ts";
import { dispatch } from "./dispatcher.ts";
import { type Caller, isRefusal, type Refusal } from "./guards.ts";
import type { Dispatched } from "./prepare-dispatch.ts";

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

const pathOf = (name: string): string => `/skills/${name}/SKILL.md`;
const skillOf = (name: string): SkillMetadata => skillNamed(name);

const answerOf = (isRefused: boolean): Envelope => {
  const frame = { cwd: ".", params: {}, timeMs: 0 };
  return isRefused
    ? refused(new ToolError("EXECUTION_ERROR", "No."), frame)
    : answered({ data: {}, text: "Done." }, frame);
};

/** The dispatcher on the same graph; what it loads is read off its frames. */
async function dispatcher(graph: Graph): Promise<Result & { tree: Dispatched | Refusal | undefined }> {
  const loaded: string[] = [];
  const world: DispatchPorts = {
    skillAt: (path) => NAMES.map(skillOf).find((skill) => skill.path === path),
    edgesOf: async ({ name, path }) => {
      const edges = (graph.edges[name] ?? []).filter(
        ({ to, type, alternative }, at, all) =>
          all.findIndex((one) => one.to === to && one.type === type && one.alternative === alternative) ===
          at,
      );
      return edges.map(({ to, type, alternative }) => ({
        from: name,
        fromPath: path,
        to,
        toPath: pathOf(to),
        type,
        alternative,
        line: 1,
        text: "",
      }));
    },
    load: async ({ name, path }) => {
      if (graph.denied.includes(name)) throw new ToolError("ACCESS_DENIED", "Denied.");
      return { title: "Skill", path, text: name };
    },
    toolOf: ({ name }) => (graph.tools.includes(name) ? "tool" : undefined),
    permitCall: async ({ name }) => {
      if (graph.denied.includes(name)) throw new ToolError("ACCESS_DENIED", "Denied.");
    },
    argumentsOf: (_skill, task) => task,
    roleGuide: () => ({ title: "Role guide", path: "role", text: "" }),
    work: {
      run: async (frame) => {
        const files = [...frame.matchAll(/^## [\w ]+: (.*)$/gm)].map(
          ([, path = ""]) => path.split("/").at(-2) ?? path,
        );
        loaded.push(...files);
        return {
          exit_code: graph.failing.includes(files.at(-1) ?? "") ? 1 : 0,
          signal: null,
          timed_out: false,
        };
      },
      call: async ({ name }) => {
        loaded.push(`call ${name}`);
        return answerOf(graph.failing.includes(name));
      },
    },
    record: async () => undefined,
    throwIfCancelled: () => undefined,
    now: () => 0,
  };
  const caller: Caller = {
    requestId: "r",
    skill: null,
    depth: null,
    stack: [...graph.visited],
    visitedNames: graph.visited,
    visited: new Set(graph.visited.map(pathOf)),
    rootLoaded: false,
    policy: { forbid_root_reload: true, max_depth: graph.maxDepth, allow_reentry: graph.reentry },
    rootSkills: [pathOf(ROOT)],
    runnersAround: 0,
  };
  const limits = { ...LIMITS, dispatches: graph.dispatches };
  const told = ({ code, current_skill, target_skill }: Refusal): string =>
    `${code} ${current_skill} ${target_skill}`;
  try {
    const target = skillOf(graph.start);
    const tree = await dispatch(
      { caller, target, edge: "requires_now", role: "fixer", task: "t", allowedTools: null, limits },
      world,
    );
    return { loaded, refused: (isRefusal(tree) ? [tree] : tree.refusals).map(told), tree };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
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

const nodes = (tree: Dispatched): Dispatched[] => [tree, ...tree.children.flatMap(nodes)];

describe("000 §5 the pseudocode, as a model", () => {
  it("generated graphs: the same skills loaded, the same refusals, and it always ends", async () => {
    await fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const { loaded, refused, tree } = await dispatcher(graph);
        expect({ loaded, refused }).toEqual(model(graph));
        if (!tree || isRefusal(tree)) return;
        const all = nodes(tree);
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

  it("DP-02 a fan-out of ten at every level, six levels deep, stops at the budget of the whole tree", async () => {
    const ten = Array.from({ length: 10 }, (_, at) => ({ to: `s${at}`, type: "requires_now" as const }));
    let runs = 0;
    const skills = new Map(ten.map(({ to }) => [pathOf(to), skillOf(to)]));
    const world: DispatchPorts = {
      skillAt: (path) => skills.get(path),
      edgesOf: async ({ name, path }) =>
        ten.map(({ to, type }) => ({
          from: name,
          fromPath: path,
          to,
          toPath: pathOf(to),
          type,
          alternative: false,
          line: 1,
          text: "",
        })),
      load: async ({ name, path }) => ({ title: "Skill", path, text: name }),
      toolOf: () => undefined,
      permitCall: async () => undefined,
      argumentsOf: () => "",
      roleGuide: () => ({ title: "Role guide", path: "role", text: "" }),
      work: {
        run: async () => {
          runs++;
          return { exit_code: 0, signal: null, timed_out: false };
        },
        call: async () => answerOf(false),
      },
      record: async () => undefined,
      throwIfCancelled: () => undefined,
      now: () => 0,
    };
    const policy = { forbid_root_reload: true, max_depth: 6, allow_reentry: true };
    const caller: Caller = {
      requestId: "r",
      skill: null,
      depth: null,
      stack: [],
      visitedNames: [],
      visited: new Set(),
      rootLoaded: false,
      policy,
      rootSkills: [],
      runnersAround: 0,
    };
    const tree = await dispatch(
      {
        caller,
        target: skillOf("s0"),
        edge: "requires_now",
        role: "fixer",
        task: "",
        allowedTools: null,
        limits: LIMITS,
      },
      world,
    );
    expect(runs).toBe(256);
    expect(isRefusal(tree) ? [] : tree.refusals.map(({ code }) => code)).toContain("E_BUDGET");
  });
});
