import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../access/tool.ts";
import { type Folder, makeFolder, skillText } from "../testing/files.ts";
import type { DispatchRequest } from "./dispatch-request.ts";
import type { Dispatched } from "./dispatcher.ts";
import { isRefusal, type Refusal } from "./guards.ts";
import { AT, PROJECT, sessionIn, skill, whole } from "./testing/dispatch-project.ts";

const FILES = {
  ...PROJECT,
  ...skill("tao-of-coding"),
  ...skill("alpha", "beta"),
  ...skill("beta", "alpha gamma"),
  ...skill("gamma", "tao-of-coding"),
};

const RUNNER = { name: "true", argv: [process.execPath, "-e", "process.stdin.resume()"] };

async function dispatched(
  folder: Folder,
  more: Partial<DispatchRequest>,
  runner?: typeof RUNNER,
): Promise<Dispatched | Refusal> {
  const request = { role: "fixer", skill: { name: "alpha" }, requestId: "req-1", ...more } as const;
  return (await sessionIn(folder)).dispatch(request, { actor: "person", runner });
}

const codeOf = (outcome: Dispatched | Refusal): string | null => (isRefusal(outcome) ? outcome.code : null);
const names = (tree: Dispatched): unknown[] => [
  tree.header.identity.current_skill,
  ...tree.children.map(names),
];
describe("000 §1 modes", () => {
  it("root mode loads the root skill, role guide and target", async () => {
    using folder = makeFolder(FILES);
    const { files, header } = whole(await dispatched(folder, { prompt: "Go." }));
    const at = (name: string): string => folder.at(`${AT}/${name}/SKILL.md`);
    expect(files).toEqual([at("tao-of-coding"), "knack:roles/fixer.md", at("alpha")]);
    expect(header).toMatchObject({
      execution_mode: "root",
      identity: { role: "fixer", current_skill: "alpha", origin_skill: null, root_loaded: true },
      trace: { depth: 0, skill_stack: ["alpha"] },
    });
  });

  it("delegated mode loads role guide and target, never the root skill", async () => {
    using folder = makeFolder({ ...FILES, "repo/.agents/roles/fixer.md": "Ours." });
    const { files, frame } = whole(await dispatched(folder, { parent: "beta", edgeType: "requires_now" }));
    expect(files).toEqual([folder.at("repo/.agents/roles/fixer.md"), folder.at(`${AT}/alpha/SKILL.md`)]);
    expect(frame).toContain("Ours.");
  });

  it("root mode has neither parent nor depth", async () => {
    using folder = makeFolder(FILES);
    await expect(dispatched(folder, { mode: "root", parent: "beta" })).rejects.toThrow(/outermost/);
    await expect(dispatched(folder, { mode: "root", depth: 2 })).rejects.toThrow(/outermost/);
  });

  it("a project without the root skill does without, and says so in the header", async () => {
    using folder = makeFolder({ ...PROJECT, ...skill("alpha") });
    expect(whole(await dispatched(folder, {})).header.identity.root_loaded).toBe(false);
  });

  it("the edge from parent to target is what the parent says, else a reference", async () => {
    using folder = makeFolder(FILES);
    expect(codeOf(await dispatched(folder, { parent: "beta" }))).toBeNull();
    expect(codeOf(await dispatched(folder, { parent: "gamma" }))).toBe("E_EDGE_NOT_EXECUTABLE");
    expect(codeOf(await dispatched(folder, { depth: 0 }))).toBe("E_EDGE_NOT_EXECUTABLE");
  });
});

describe("recursion is decided on the resolved skill", () => {
  const now = { edgeType: "requires_now" } as const;

  it.each([
    "alpha",
    "ALPHA",
    " Alpha ",
    "ａｌｐｈａ",
    "plugin:alpha",
    "alpha/",
    "Alpha/SKILL.md",
    "elsewhere/skills/alpha",
    "$alpha",
    ".agents/skills/alpha",
    ".agents/skills/../skills/alpha/SKILL.md",
    "link",
  ])("a visited skill is known however it is written: %j", async (word) => {
    using folder = makeFolder({ ...FILES, "repo/link": { link: ".agents/skills/alpha" } });
    for (const more of [{ visited: [word], depth: 1 }, { stack: [word], depth: 1 }, { parent: word }])
      expect(codeOf(await dispatched(folder, { ...now, ...more }))).toBe("E_SKILL_REENTRY_BLOCKED");
  });

  it("what was visited is told once, in the order of the first time", async () => {
    using folder = makeFolder(FILES);
    const visited = ["beta", "gamma", "BETA", "nobody", "Nobody"];
    const { trace } = whole(await dispatched(folder, { ...now, visited, depth: 1 })).header;
    expect(trace.visited_skills).toEqual(["beta", "gamma", "nobody"]);
  });

  it("the target is known by its path and through a link too", async () => {
    using folder = makeFolder({ ...FILES, "repo/link": { link: ".agents/skills/alpha" } });
    for (const path of ["link", ".agents/skills/alpha/SKILL.md"])
      expect(
        codeOf(await dispatched(folder, { ...now, skill: { path }, visited: ["alpha"], depth: 1 })),
      ).toBe("E_SKILL_REENTRY_BLOCKED");
  });

  it("the root skill is not reached by another path", async () => {
    using folder = makeFolder({ ...FILES, "repo/link": { link: ".agents/skills/tao-of-coding" } });
    for (const wanted of [{ name: "tao-of-coding" }, { path: "link" }])
      expect(codeOf(await dispatched(folder, { ...now, skill: wanted, depth: 0 }))).toBe(
        "E_ROOT_RELOAD_BLOCKED",
      );
  });

  it("A → B → A: each once, the rest refused with its place, and all of it recorded", async () => {
    using folder = makeFolder(FILES);
    const events: SessionEvent[] = [];
    const session = await sessionIn(folder, { observe: async (event) => void events.push(event) });
    const request = { role: "fixer", skill: { name: "alpha" }, requestId: "req-1" } as const;
    const tree = whole(await session.dispatch(request, { actor: "person", runner: RUNNER }));
    expect(names(tree)).toEqual(["alpha", ["beta", ["gamma"]]]);
    expect(
      tree.refusals.map(({ code, current_skill, target_skill, skill_stack }) => [
        code,
        current_skill,
        target_skill,
        skill_stack,
      ]),
    ).toEqual([
      ["E_SKILL_REENTRY_BLOCKED", "beta", "alpha", ["alpha", "beta"]],
      ["E_ROOT_RELOAD_BLOCKED", "gamma", "tao-of-coding", ["alpha", "beta", "gamma"]],
    ]);
    const told = events.filter(({ type }) => type === "DISPATCHED").map(({ data }) => data);
    expect(told.map(({ status, current_skill }) => `${status} ${current_skill}`)).toEqual([
      ...["alpha", "beta", "gamma"].flatMap((name) => [`started ${name}`, `ended ${name}`]),
      "refused beta",
      "refused gamma",
      "finished alpha",
    ]);
    expect(told.at(-1)).toMatchObject({ request_id: "req-1", dispatched: 3, failed: [], refused: 2 });
    expect(told[1]).toMatchObject({
      request_id: "req-1",
      depth: 0,
      exit_code: 0,
      signal: null,
      timed_out: false,
    });
  });
});

describe("what a child may have", () => {
  it("a denied child is skipped and its sisters run; so is one that is not there, or for people alone", async () => {
    using folder = makeFolder({
      ...FILES,
      ...skill("alpha", "beta nobody secret gamma"),
      ...skill("secret", "", "disable-model-invocation: true\n"),
      "home/.knack/config.yaml": "permissions: { deny: [{ tool: skill_load, skill_name: beta }] }\n",
    });
    const tree = whole(await dispatched(folder, {}, RUNNER));
    expect(names(tree)).toEqual(["alpha", ["gamma"]]);
    expect(tree.refusals.slice(0, 3).map(({ code, target_skill }) => `${code} ${target_skill}`)).toEqual([
      "ACCESS_DENIED beta",
      "NOT_FOUND nobody",
      "ACCESS_DENIED secret",
    ]);
  });

  it("a rule about dispatching denies it, and a load is still allowed", async () => {
    using folder = makeFolder({
      ...FILES,
      "home/.knack/config.yaml": "permissions: { deny: [{ tool: skill_dispatch, skill_name: alpha }] }\n",
    });
    await expect(dispatched(folder, {})).rejects.toThrow(/denies/);
    const loaded = await (await sessionIn(folder)).call("skill_load", { name: "alpha" });
    expect(loaded.status).toBe("success");
  });

  it("tools only become fewer from skill to skill", async () => {
    using folder = makeFolder({
      ...FILES,
      ...skill("alpha", "beta", "allowed-tools: read write search\n"),
      ...skill("beta", "gamma", "allowed-tools: search shell read\n"),
    });
    const tree = whole(await dispatched(folder, {}, RUNNER));
    const allowed = (node: Dispatched): string => /only these tools: (.*)\./.exec(node.frame)?.[1] ?? "";
    const [beta] = tree.children;
    expect([tree, beta, beta?.children[0]].map((node) => node && allowed(node))).toEqual([
      "read, write, search",
      "read, search",
      "read, search",
    ]);
    const alone = whole(
      await dispatched(folder, { skill: { name: "gamma" }, parent: "beta", visited: ["alpha"] }),
    );
    expect(allowed(alone)).toBe("read, search");
  });

  it("a fence that ends a comment in its first line breaks nothing", async () => {
    using folder = makeFolder({
      ...FILES,
      [`${AT}/odd/SKILL.md`]: `${skillText("odd")}\`\`\`-->\nx\n\`\`\`\n\n**REQUIRED SUB-SKILL:** Use the \`gamma\` skill.\n`,
    });
    const tree = whole(await dispatched(folder, { skill: { name: "odd" } }, RUNNER));
    expect(names(tree)).toEqual(["odd", ["gamma"]]);
  });

  it("what a runner writes into its own skill makes nothing run", async () => {
    using folder = makeFolder({ ...FILES, ...skill("delta") });
    const text = `---\\nname: delta\\ndescription: Does delta.\\n---\\n**REQUIRED SUB-SKILL:** Use the \`gamma\` skill.\\n`;
    const program = `process.stdin.resume(); require("node:fs").writeFileSync(".agents/skills/delta/SKILL.md", "${text}")`;
    const argv = [process.execPath, "-e", program];
    const request = { skill: { name: "delta" } };
    expect(names(whole(await dispatched(folder, request, { name: "writer", argv })))).toEqual(["delta"]);
    // It was well written: the next dispatch reads it.
    expect(names(whole(await dispatched(folder, request, RUNNER)))).toEqual(["delta", ["gamma"]]);
  });
});
