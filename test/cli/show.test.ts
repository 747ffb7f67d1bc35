import { describe, expect, it } from "vitest";
import { checkEnvelope } from "../../packages/core/src/testing/envelope.ts";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { HOME, knack, makeProject, REPO, TRUST } from "./run.ts";

describe("a mistyped name", () => {
  it.each([
    [["show", "godo"]],
    [["load", "godo"]],
    [["dispatch", "--role", "fixer", "--skill", "godo", "--prompt", "x"]],
  ])("%j names the nearest", (args) => {
    using folder = makeProject();
    const { code, stderr } = knack(folder, args);
    expect([code, stderr]).toEqual([1, expect.stringContaining('Did you mean "good"?')]);
    expect(knack(folder, ["show", "nothing-like-it"]).stderr).not.toContain("Did you mean");
    expect(knack(folder, ["show", "x".repeat(100_000)]).code).toBe(1);
  });
});

describe("knack show", () => {
  it("--json is {skill, files, edges, diagnostics}", () => {
    const more = "license: MIT\nanything: else\nmetadata:\n  requires-now: a b\n  requires-later: c\n";
    using folder = makeProject({
      [`${REPO}/one/SKILL.md`]: skillText("one", "Use when: asked.", more),
      [`${REPO}/one/references/guide.md`]: "Guide",
      [`${REPO}/one/escape`]: { link: "/etc/passwd" },
    });
    const { code, stderr, json } = knack(folder, ["show", "one", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const shown = json();
    expect(Object.keys(shown)).toEqual(["skill", "files", "edges", "diagnostics"]);
    expect(shown.skill).toMatchObject({
      name: "one",
      path: folder.at(REPO, "one/SKILL.md"),
      license: "MIT",
      frontmatter: { anything: "else" },
    });
    expect(shown.files).toEqual([folder.at(REPO, "one/references/guide.md")]);
    expect(shown.edges).toMatchObject([
      { to: "a", type: "requires_now" },
      { to: "b", type: "requires_now" },
      { to: "c", type: "requires_later" },
    ]);
    expect(shown.diagnostics).toMatchObject([
      { code: "W_YAML_REPAIRED", line: 3 },
      { code: "E_PATH_ESCAPE" },
    ]);
  });

  it("says how many files the limits leave out, the largest by name", () => {
    using folder = makeProject({
      [`${REPO}/one/SKILL.md`]: skillText("one"),
      [`${REPO}/one/small.md`]: "x",
      [`${REPO}/one/data/huge.bin`]: "x".repeat(3000),
      "repo/.knack/config.yaml": "skills: { files: { maxBytes: 1000 } }\n",
    });
    const { files, diagnostics } = knack(folder, ["show", "one", "--json"]).json();
    expect(files).toEqual([folder.at(REPO, "one/small.md")]);
    const message = expect.stringContaining("data/huge.bin (3,000 bytes)");
    expect(diagnostics).toEqual([{ path: folder.at(REPO, "one"), code: "W_FILES_LIMIT", message }]);
    expect(knack(folder, ["show", "one"]).stdout).toContain("W_FILES_LIMIT");
  });

  it("takes a name, a folder, a SKILL.md or an id, and prints neither body nor colour", () => {
    using folder = makeProject();
    const byName = knack(folder, ["show", "good"]);
    expect(byName.code).toBe(0);
    expect(byName.stdout).toContain("Does good.");
    expect(byName.stdout).not.toMatch(/\u001b|# good/);
    const { id } = knack(folder, ["show", "good", "--json"]).json().skill;
    for (const reference of [".agents/skills/good", folder.at(REPO, "good/SKILL.md"), id]) {
      expect(knack(folder, ["show", reference]).stdout).toBe(byName.stdout);
    }
    const options = { cwd: "repo/.agents" };
    expect(knack(folder, ["show", "skills/good"], options).stdout).toBe(byName.stdout);
  });

  it("shows a skill that cannot be used, with the reason", () => {
    using folder = makeProject();
    expect(knack(folder, ["show", "off"]).stdout).toMatch(/status +disabled: .*skills\.disabled/);
    const { skill, diagnostics } = knack(folder, ["show", "never", "--json"]).json();
    expect(skill).toMatchObject({ status: "ineligible", reason: expect.stringContaining("teleport") });
    expect(diagnostics).toMatchObject([{ code: "E_INELIGIBLE" }]);
  });

  it("says of a skill that was left out why, with file and line", () => {
    using folder = makeProject();
    for (const reference of ["bad", ".agents/skills/bad", ".agents/skills/bad/SKILL.md"]) {
      const { code, stdout, stderr } = knack(folder, ["show", reference]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(`${folder.at(REPO, "bad/SKILL.md")}:2: `);
    }
  });

  it("refuses an ambiguous name with the candidates", () => {
    using folder = makeProject({ [`${HOME}/good/SKILL.md`]: skillText("good") });
    const candidates = [folder.at(REPO, "good/SKILL.md"), folder.at(HOME, "good/SKILL.md")];
    const { code, stdout, stderr } = knack(folder, ["show", "good"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    for (const path of candidates) expect(stderr).toContain(path);
    const json = knack(folder, ["show", "good", "--json"]);
    expect(json).toMatchObject({ code: 1, stderr: "" });
    expect(json.json()).toEqual({ error: { code: "AMBIGUOUS", message: expect.any(String), candidates } });
  });

  it("refuses a name that nothing has, without a stack", () => {
    using folder = makeProject();
    const { code, stdout, stderr } = knack(folder, ["show", "nothing"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .*"nothing".*knack list/);
    expect(stderr).not.toMatch(/\n\s+at /);
    const { error } = knack(folder, ["show", "nothing", "--json"]).json();
    expect(error).toEqual({ code: "NOT_FOUND", message: expect.any(String) });
  });
});

describe("knack load", () => {
  it("prints the block that an agent would get, byte for byte", () => {
    using folder = makeProject({
      [`${REPO}/raw/SKILL.md`]: `${skillText("raw")}\u001b[31mred\u0007 $ARGUMENTS\n`,
    });
    const { stdout, code } = knack(folder, ["load", "raw", "--args", "now"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^<skill_context name="raw" path=".*">\n# raw\n\u001b\[31mred\u0007 now\n[\s\S]*<\/skill_context>\n$/,
    );
  });

  it("--json is the tool's envelope, refusals too", () => {
    using folder = makeProject({ [`${HOME}/good/SKILL.md`]: skillText("good") });
    const answer = (args: string[]): [number | null, unknown, unknown] => {
      const outcome = knack(folder, ["load", ...args, "--json"]);
      const envelope: unknown = JSON.parse(outcome.stdout);
      expect(checkEnvelope(envelope)).toEqual([]);
      const { status, error } = envelope as { status: string; error?: { code: string } };
      return [outcome.code, status, error?.code];
    };
    expect(answer(["mine"])).toEqual([0, "success", undefined]);
    expect(answer(["none"])).toEqual([1, "error", "NOT_FOUND"]);
    expect(answer(["off"])).toEqual([1, "error", "ACCESS_DENIED"]);
    expect(answer(["good"])).toEqual([1, "error", "INVALID_PARAM"]);
    expect(answer(["never"])).toEqual([1, "error", "NOT_FOUND"]);
  });

  it("says what is wrong on standard error", () => {
    using folder = makeProject();
    const { code, stdout, stderr } = knack(folder, ["load", "bad"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: The skill was skipped\..*bad\/SKILL\.md:2/);
  });
});

describe("knack context", () => {
  it("prints the block of a system prompt, and its size on standard error", () => {
    using folder = makeProject();
    const { stdout, stderr, code } = knack(folder, ["context"], TRUST);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<skills_context>\n[\s\S]*<name>good<\/name>[\s\S]*<\/skills_context>\n$/);
    expect(stderr).toContain(`2 of 2 skills, ${(Buffer.byteLength(stdout) - 1).toLocaleString("en")} bytes`);
  });

  it("leaves an untrusted project's skills out, and says how many wait", () => {
    using folder = makeProject();
    const { stdout, stderr } = knack(folder, ["context"]);
    expect(stdout).not.toContain("<name>good</name>");
    expect(stdout).toContain("<name>mine</name>");
    expect(stderr).toContain("1 skill is unavailable until");
  });

  it("keeps to its budget and counts what it shows under --json", () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`${REPO}/s${i}/SKILL.md`, skillText(`s${i}`, "x".repeat(900))]),
    );
    using folder = makeProject(many);
    const answer = JSON.parse(knack(folder, ["context", "--json"], TRUST).stdout);
    expect(answer).toMatchObject({ skills: 302, truncated: true });
    expect(answer.listed).toBeLessThanOrEqual(200);
    expect(answer.bytes).toBe(Buffer.byteLength(answer.context));
    expect(answer.bytes).toBeLessThanOrEqual(32_768);
    expect(answer.context).toContain('truncated="true"');
  });
});

describe("skills.enabled: false", () => {
  it("leaves the context empty, and says why nothing is loaded", () => {
    using folder = makeProject({ "home/.knack/config.yaml": "skills: { enabled: false }\n" });
    expect(JSON.parse(knack(folder, ["context", "--json"]).stdout)).toMatchObject({ context: "", bytes: 0 });
    const { code, stderr } = knack(folder, ["load", "good"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("skills.enabled")]);
  });
});

describe("knack shell", () => {
  const shell = (input: string, args: string[] = []) => {
    using folder = makeProject();
    return knack(folder, ["shell", ...args], { input, ...TRUST });
  };

  it("reads a pipe to its end", () => {
    const { stdout, code } = shell("/skills\n\n/skill good a  b\n");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^good: Does good\.\nmine: .*\n<skill_context name="good"[\s\S]*ARGUMENTS: a {2}b\n[\s\S]*<\/skill_context>\n$/,
    );
  });

  it("tells what failed, goes on, and ends with 1", () => {
    const { stdout, stderr, code } = shell("/skill\n/none\n/skill none\n/skills\n");
    expect(stderr).toContain("error: /skill requires a skill name. /skills lists them.\n");
    expect(stderr).toContain("There is no command /none.");
    expect(stdout).toContain("good: Does good.");
    expect(code).toBe(1);
  });

  it("--json prints an envelope a line", () => {
    const lines = shell("/skills\n/reload_skills\n/skills\n", ["--json"]).stdout.trim().split("\n");
    const envelopes = lines.map((line) => JSON.parse(line));
    expect(envelopes.map(checkEnvelope)).toEqual([[], [], []]);
    expect(envelopes[1].data.snapshot_version).toBe(2);
  });
});
