import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { checkEnvelope } from "../../packages/core/src/testing/envelope.ts";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { HOME, knack, makeProject, PROGRAM, REPO } from "./run.ts";

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

  it("takes a name, a folder, a SKILL.md or an id", () => {
    using folder = makeProject();
    const { skills } = knack(folder, ["list", "--json"]).json();
    const id = skills.find(({ name }) => name === "good")?.id ?? "";
    for (const given of ["good", ".agents/skills/good", folder.at(REPO, "good", "SKILL.md"), id])
      expect(knack(folder, ["load", given]).stdout).toContain('<skill_context name="good"');
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
    expect(stderr).toMatch(/^Error: The skill was skipped\..*bad\/SKILL\.md:2/);
  });

  it("works for a person in a project that is not trusted", () => {
    using folder = makeProject();
    expect(knack(folder, ["load", "good"]).code).toBe(0);
  });
});

describe("knack context", () => {
  it("prints the block of a system prompt, and its size on standard error", () => {
    using folder = makeProject();
    const { stdout, stderr, code } = knack(folder, ["context"], { env: { KNACK_TRUST: "all" } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<skills_context>\n[\s\S]*<name>good<\/name>[\s\S]*<\/skills_context>\n$/);
    expect(stderr).toContain(`2 of 2 skills, ${Buffer.byteLength(stdout) - 1} bytes`);
  });

  it("leaves an untrusted project's skills out, and says how many wait", () => {
    using folder = makeProject();
    const { stdout, stderr } = knack(folder, ["context"]);
    expect(stdout).not.toContain("<name>good</name>");
    expect(stdout).toContain("<name>mine</name>");
    expect(stderr).toContain("skills are unavailable until");
  });

  it("keeps to its budget and counts what it shows under --json", () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`${REPO}/s${i}/SKILL.md`, skillText(`s${i}`, "x".repeat(900))]),
    );
    using folder = makeProject(many);
    const answer = JSON.parse(knack(folder, ["context", "--json"], { env: { KNACK_TRUST: "all" } }).stdout);
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
  const shell = (folder: ReturnType<typeof makeProject>, input: string, args: string[] = []) =>
    spawnSync(process.execPath, [PROGRAM, "shell", ...args], {
      cwd: folder.at("repo"),
      env: {
        PATH: process.env.PATH,
        HOME: folder.at("home"),
        XDG_CACHE_HOME: folder.at("cache"),
        KNACK_TRUST: "all",
      },
      input,
      encoding: "utf8",
      timeout: 20_000,
    });

  it("reads a pipe to its end", () => {
    using folder = makeProject();
    const { stdout, status } = shell(folder, "/skills\n\n/skill good a  b\n");
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^good: Does good\.\nmine: .*\n<skill_context name="good"[\s\S]*ARGUMENTS: a {2}b\n[\s\S]*<\/skill_context>\n$/,
    );
  });

  it("tells what failed, goes on, and ends with 1", () => {
    using folder = makeProject();
    const { stdout, stderr, status } = shell(folder, "/skill\n/none\n/skill none\n/skills\n");
    expect(stderr).toContain("Error: /skill requires a skill name. /skills lists them.\n");
    expect(stderr).toContain("There is no command /none.");
    expect(stdout).toContain("good: Does good.");
    expect(status).toBe(1);
  });

  it("--json prints an envelope a line", () => {
    using folder = makeProject();
    const lines = shell(folder, "/skills\n/reload_skills\n/skills\n", ["--json"]).stdout.trim().split("\n");
    const envelopes = lines.map((line) => JSON.parse(line));
    expect(envelopes.map(checkEnvelope)).toEqual([[], [], []]);
    expect(envelopes[1].data.snapshot_version).toBe(2);
  });
});
