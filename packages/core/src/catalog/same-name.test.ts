import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { Catalog } from "../open-catalog.ts";
import { makeFolder, skillText } from "../testing/files.ts";
import { openRepo as open } from "./testing/open-repo.ts";

/** What asking by name alone throws. */
function refusal(catalog: Catalog, name: string): unknown {
  try {
    return catalog.resolve({ name });
  } catch (error) {
    return error;
  }
}

describe("004 §5.4 the same name twice in .agents/skills", () => {
  const files = {
    "repo/.agents/skills/x/SKILL.md": skillText("x"),
    "repo/.agents/skills/group/x/SKILL.md": skillText("x"),
    "home/.agents/skills/x/SKILL.md": skillText("x"),
  };

  it("keeps every one of them, without a warning; the name alone is ambiguous and lists the paths", async () => {
    using folder = makeFolder(files);
    const catalog = await open(folder);
    expect(catalog.skills.map(({ dir }) => relative(folder.path, dir))).toEqual([
      "repo/.agents/skills/group/x",
      "repo/.agents/skills/x",
      "home/.agents/skills/x",
    ]);
    expect(catalog.warnings).toEqual([]);
    const candidates = catalog.skills.map(({ path }) => path);
    expect(refusal(catalog, "x")).toMatchObject({ code: "AMBIGUOUS", candidates });
    for (const path of candidates) expect(catalog.resolve({ path }).path).toBe(path);
  });

  it("does not count one that is switched off", async () => {
    using folder = makeFolder({
      ...files,
      "repo/.knack/config.yaml":
        "skills: { disabled: [.agents/skills/x, .agents/skills/group/x/SKILL.md] }\n",
    });
    const catalog = await open(folder);
    expect(catalog.resolve({ name: "x" }).scope).toBe("user");
  });
});

describe("001 the same name twice in skills/", () => {
  const files = {
    "repo/skills/a/SKILL.md": skillText("same", "First."),
    "repo/skills/b/SKILL.md": skillText("same", "Second."),
    "repo/skills/a/z/SKILL.md": skillText("same", "Below the first."),
  };

  it("keeps the last in path order, with a warning that names each loser, which is listed as shadowed", async () => {
    using folder = makeFolder(files);
    const catalog = await open(folder);
    expect(catalog.skills).toMatchObject([{ name: "same", description: "Second." }]);
    expect(catalog.warnings).toHaveLength(2);
    for (const loser of ["a/SKILL.md", "a/z/SKILL.md"]) {
      expect(catalog.warnings).toContainEqual({
        path: folder.at("repo/skills/b/SKILL.md"),
        code: "W_SHADOWED",
        message: expect.stringContaining(folder.at("repo/skills", loser)),
      });
    }
    const shadowed = catalog.entries.filter(({ status }) => status === "shadowed");
    expect(shadowed).toHaveLength(2);
    for (const { reason } of shadowed) expect(reason).toContain(folder.at("repo/skills/b/SKILL.md"));
  });

  it("lets an invalid file shadow nothing: it was skipped", async () => {
    using folder = makeFolder({ ...files, "repo/skills/c/SKILL.md": "---\nname: same\n---\n" });
    expect((await open(folder)).resolve({ name: "same" }).description).toBe("Second.");
  });
});

describe("002 precedence: workspace before user before bundled", () => {
  const env = { SKILLS_WORKSPACE_DIR: "../ws", SKILLS_USER_DIR: "../user", SKILLS_BUNDLED_DIR: "../bundled" };
  const plan = (summary: string, more = ""): string => `---\nsummary: ${summary}\n${more}---\n# Plan\n`;
  const files = {
    "ws/plan/SKILL.md": plan("workspace"),
    "user/plan/SKILL.md": plan("user"),
    "bundled/plan/SKILL.md": plan("bundled"),
  };

  it("takes the workspace's and names those it replaces", async () => {
    using folder = makeFolder(files);
    const catalog = await open(folder, { env });
    expect(catalog.skills).toMatchObject([{ name: "plan", description: "workspace", scope: "repo" }]);
    expect(catalog.warnings.map(({ path, code }) => [path, code])).toEqual([
      [folder.at("ws/plan/SKILL.md"), "W_SHADOWED"],
      [folder.at("ws/plan/SKILL.md"), "W_SHADOWED"],
    ]);
  });

  it("takes the user's before the bundled one", async () => {
    const { "ws/plan/SKILL.md": _, ...others } = files;
    using folder = makeFolder({ ...others, "ws/": "" });
    expect((await open(folder, { env })).skills).toMatchObject([{ description: "user" }]);
  });

  it.each([
    ["ineligible", plan("workspace", "eligibility: { os: [plan9] }\n")],
    ["malformed", "---\nsummary: [\n---\n"],
    ["malformed by 002 §3.2", plan("workspace", "invocation_mode: tool_dispatch\n")],
    ["claiming a built-in command", plan("workspace", "command: help\n")],
    ["missing its tool", plan("workspace", "requires_tools: [teleport]\n")],
  ])("does not replace a winner that is %s", async (_, text) => {
    using folder = makeFolder({ ...files, "ws/plan/SKILL.md": text });
    const catalog = await open(folder, { env });
    expect(catalog.skills).toEqual([]);
    expect(catalog.errors).toMatchObject([{ path: folder.at("ws/plan/SKILL.md") }]);
    expect(refusal(catalog, "plan")).toMatchObject({ code: expect.stringMatching(/NOT_FOUND|AMBIGUOUS/) });
  });

  it("does not replace a winner that the user switched off", async () => {
    using folder = makeFolder({ ...files, "repo/.knack/config.yaml": "skills: { disabled: [plan] }\n" });
    expect((await open(folder, { env })).skills).toEqual([]);
  });

  it("holds for a bare skill in the project's skills/ as well", async () => {
    using folder = makeFolder({ ...files, "repo/skills/plan/SKILL.md": plan("project") });
    const { SKILLS_WORKSPACE_DIR: _, ...others } = env;
    expect((await open(folder, { env: others })).skills).toMatchObject([{ description: "project" }]);
  });
});

describe("the same name in roots of different dialects", () => {
  const files = {
    "repo/.agents/skills/plan/SKILL.md": skillText("plan", "standard"),
    "repo/skills/planner/SKILL.md": skillText("plan", "project"),
    "lily/plan/SKILL.md": "---\nsummary: lily\n---\n",
  };
  const env = { SKILLS_USER_DIR: "../lily" };

  it("is ambiguous, and the catalog lists all of them", async () => {
    using folder = makeFolder(files);
    const catalog = await open(folder, { env });
    expect(catalog.skills.map(({ dialect }) => dialect)).toEqual(["agentskills", "project", "lily"]);
    const candidates = catalog.skills.map(({ path }) => path);
    expect(refusal(catalog, "plan")).toMatchObject({ code: "AMBIGUOUS", candidates });
  });

  it("is the nearest with skills.duplicates: nearest, .agents/skills first on one level; all stay listed", async () => {
    using folder = makeFolder({ ...files, "repo/.knack/config.yaml": "skills: { duplicates: nearest }\n" });
    const catalog = await open(folder, { env });
    expect(catalog.resolve({ name: "plan" }).description).toBe("standard");
    expect(catalog.skills).toHaveLength(3);
  });
});

describe("skills.duplicates: nearest", () => {
  const nearest = { "home/.knack/config.yaml": "skills: { duplicates: nearest }\n" };
  const at = (folder: string, description: string) => ({
    [`${folder}/.agents/skills/x/SKILL.md`]: skillText("x", description),
  });

  it("takes the one closest to the working directory, the user's last", async () => {
    using folder = makeFolder({
      ...nearest,
      ...at("repo", "root"),
      ...at("repo/a", "middle"),
      ...at("repo/a/b", "near"),
      ...at("home", "user"),
    });
    folder.write({ "repo/c/": "" });
    const from = async (cwd: string): Promise<string> =>
      (await open(folder, { cwd: folder.at(cwd) })).resolve({ name: "x" }).description;
    expect(await from("repo/a/b")).toBe("near");
    expect(await from("repo/a")).toBe("middle");
    expect(await from("repo/c")).toBe("root");
  });

  it("leaves two on one level ambiguous: none is nearer", async () => {
    using folder = makeFolder({
      ...nearest,
      ...at("repo", "one"),
      "repo/.agents/skills/g/x/SKILL.md": skillText("x", "two"),
    });
    expect(refusal(await open(folder), "x")).toMatchObject({ code: "AMBIGUOUS" });
  });

  it("does not let one that cannot be used win", async () => {
    using folder = makeFolder({
      ...nearest,
      ...at("repo", "root"),
      "repo/a/.agents/skills/x/SKILL.md": skillText("x", "near", "requires_tools: [teleport]\n"),
    });
    const catalog = await open(folder, { cwd: folder.at("repo/a") });
    expect(catalog.resolve({ name: "x" }).description).toBe("root");
  });
});

describe("two skills with one command", () => {
  it("get it neither, and each is told of the other", async () => {
    using folder = makeFolder({
      "repo/.agents/skills/a/SKILL.md": skillText("a", "d", "command: go\n"),
      "repo/.agents/skills/b/SKILL.md": skillText("b", "d", "command: go\n"),
      "repo/.agents/skills/c/SKILL.md": skillText("c", "d", "command: stay\n"),
    });
    const catalog = await open(folder);
    expect(catalog.skills.map(({ command }) => command)).toEqual([undefined, undefined, "stay"]);
    const [a = "", b = ""] = catalog.skills.map(({ path }) => path);
    expect(catalog.warnings).toEqual([
      { path: a, code: "W_COMMAND_DUPLICATE", message: expect.stringContaining(b) },
      { path: b, code: "W_COMMAND_DUPLICATE", message: expect.stringContaining(a) },
    ]);
  });

  it("are each told, however many they are", async () => {
    using folder = makeFolder();
    for (let i = 0; i < 12; i++)
      folder.write({ [`repo/.agents/skills/s-${i}/SKILL.md`]: skillText(`s-${i}`, "d", "command: go\n") });
    const { warnings, skills } = await open(folder);
    expect(warnings.map(({ path }) => path)).toEqual(skills.map(({ path }) => path));
  });

  it("does not count one that is switched off, ineligible or shadowed", async () => {
    using folder = makeFolder({
      "repo/.agents/skills/a/SKILL.md": skillText("a", "d", "command: go\n"),
      "repo/.agents/skills/off/SKILL.md": skillText("off", "d", "command: go\n"),
      "repo/.agents/skills/not/SKILL.md": skillText(
        "not",
        "d",
        "command: go\neligibility: { os: [plan9] }\n",
      ),
      "repo/.knack/config.yaml": "skills: { disabled: [off] }\n",
    });
    expect((await open(folder)).skills).toMatchObject([{ name: "a", command: "go" }]);
  });
});
