import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { knack, makeProject, REPO } from "./run.ts";

const files = {
  [`${REPO}/one/SKILL.md`]: `${skillText("one")}You MUST use the two-two skill.\n\nSee the \`gone-away\` skill.\n`,
  [`${REPO}/two-two/SKILL.md`]: `${skillText("two-two")}You MUST run /one first.\n`,
};

describe("knack graph", () => {
  it("--format json is {nodes, edges, cycles, dangling}, exit 0 also with cycles", () => {
    using folder = makeProject(files);
    for (const args of [["--format", "json"], ["--json"]]) {
      const { code, stderr, stdout } = knack(folder, ["graph", ...args]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const graph = JSON.parse(stdout);
      expect(Object.keys(graph)).toEqual(["nodes", "edges", "cycles", "dangling"]);
      expect(Object.keys(graph.nodes[0])).toEqual(["id", "name", "path"]);
      expect(graph.edges).toEqual([
        {
          from: "one",
          to: "two-two",
          type: "requires_now",
          alternative: false,
          line: expect.any(Number),
          text: "You MUST use the two-two skill.",
        },
        {
          from: "two-two",
          to: "one",
          type: "requires_now",
          alternative: false,
          line: expect.any(Number),
          text: "You MUST run /one first.",
        },
      ]);
      expect(graph.cycles).toEqual([["one", "two-two"]]);
      expect(graph.dangling).toEqual([{ from: "one", name: "gone-away", line: expect.any(Number) }]);
    }
  });

  it("is text for people, and drawings for Mermaid and Graphviz", () => {
    using folder = makeProject(files);
    const { code, stdout } = knack(folder, ["graph"]);
    expect(code).toBe(0);
    expect(stdout).toContain("  requires_now two-two (line ");
    expect(stdout).toContain("one → two-two → one");
    expect(stdout).toContain("names gone-away");
    expect(knack(folder, ["graph", "--format", "mermaid"]).stdout).toMatch(/^flowchart LR\n/);
    expect(knack(folder, ["graph", "--format", "dot"]).stdout).toMatch(/^digraph skills \{\n/);
    expect(knack(folder, ["graph", "--format", "svg"]).code).toBe(2);
  });

  it("doctor mentions cycles and dangling references, and show lists a skill's edges", () => {
    using folder = makeProject(files);
    const check = knack(folder, ["doctor", "--json"])
      .json()
      .checks.find(({ name }) => name === "graph");
    expect(check).toMatchObject({ ok: true, hint: expect.stringContaining("knack graph") });
    expect(check?.message).toContain(
      "1 cycle: one → two-two → one; 1 dangling reference: one names gone-away",
    );
    expect(knack(folder, ["show", "one", "--json"]).json().edges).toMatchObject([
      { from: "one", to: "two-two", type: "requires_now", alternative: false },
    ]);
    const { stdout } = knack(folder, ["show", "one"]);
    expect(stdout).toContain("one requires_now two-two (line ");
    expect(stdout).toContain("gone-away (line ");
  });

  describe("--explain", () => {
    const texts = {
      ...files,
      [`${REPO}/three/SKILL.md`]: `${skillText("three")}Do NOT use the two-two skill.\n\n## Called by\n\n- **four-four**\n`,
      [`${REPO}/four-four/SKILL.md`]: skillText("four-four"),
    };
    const file = `${REPO}/one/SKILL.md`.replace(/^repo\//, "");
    const line = skillText("one").split("\n").length;

    it("names the rules, the sentence, the file and the line of every edge", () => {
      using folder = makeProject(texts);
      const { code, stdout, stderr } = knack(folder, ["graph", "--explain"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(
        [
          "one → two-two  requires_now",
          "  rules  skill-after-name, must, verb-before-name",
          "  says   You MUST use the two-two skill.",
          `  at     ${file}:${line}`,
        ].join("\n"),
      );
      expect(stdout).toContain(
        "three → two-two  reference_only\n  rules  skill-after-name, negation-before-name\n",
      );
      expect(stdout).toContain("four-four → three  reference_only\n  rules  marked-name, called-by-title\n");
    });

    it("of one skill tells what its text says, as JSON with rules, sentence and line", () => {
      using folder = makeProject(texts);
      const { code, stdout } = knack(folder, ["graph", "--explain", "one", "--json"]);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual({
        edges: [
          {
            from: "one",
            to: "two-two",
            type: "requires_now",
            alternative: false,
            rules: ["skill-after-name", "must", "verb-before-name"],
            sentence: "You MUST use the two-two skill.",
            file: expect.stringMatching(/one\/SKILL\.md$/),
            line,
          },
        ],
      });
    });

    it("prints hostile text harmlessly, and no drawing", () => {
      using folder = makeProject({
        ...files,
        [`${REPO}/four/SKILL.md`]: `${skillText("four")}You MUST \u001b[31muse the two-two skill.\n`,
      });
      expect(knack(folder, ["graph", "--explain", "four"]).stdout).toContain(
        "You MUST \\x1b[31muse the two-two",
      );
      const { code, stderr } = knack(folder, ["graph", "--explain", "--format", "dot"]);
      expect(code).toBe(2);
      expect(stderr).toContain("--explain prints text or JSON");
      expect(knack(folder, ["graph", "--explain", "nobody"]).code).toBe(1);
    });

    it("is empty for a skill that names no other", () => {
      using folder = makeProject({ [`${REPO}/one/SKILL.md`]: skillText("one") });
      expect(knack(folder, ["graph", "--explain", "one"]).stdout).toBe(
        "No edges: the text names no other skill.\n",
      );
    });
  });
});
