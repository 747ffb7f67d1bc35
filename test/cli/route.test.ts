import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/index.ts";
import { HOME, knack, REPO } from "./run.ts";

const ROUTING = "repo/.agents/routing.yaml";
const RULES = `version: 1
default: { role: explorer, skill: mine, reason: nothing else }
routes:
  - { id: debug, role: fixer, skill: debug, reason: cause first, patterns: [debug, '除錯'] }
  - { id: review, role: oracle, skill: review, reason: judged, patterns: ['審查'] }
`;

function project(routing = RULES): Folder {
  const folder = makeFolder({
    "repo/.git/": "",
    [ROUTING]: routing,
    [`${REPO}/debug/SKILL.md`]: skillText("debug"),
    [`${REPO}/review/SKILL.md`]: skillText("review"),
    [`${HOME}/mine/SKILL.md`]: skillText("mine", "Bake sourdough bread from a rye starter."),
  });
  knack(folder, ["trust", "--yes"]);
  return folder;
}

describe("knack route", () => {
  it("--json is {role, skill, reason, source, rule, matched, others}", () => {
    using folder = project();
    const { code, stdout, stderr } = knack(folder, ["route", "請審查需求文件並", "debug", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      role: "fixer",
      skill: "debug",
      reason: "cause first",
      source: "rule",
      rule: "debug",
      matched: ["debug"],
      others: [
        { role: "oracle", skill: "review", source: "rule", rule: "review", matched: ["審查"], score: null },
      ],
    });
  });

  it("explains to a person which rule, which words and what else was close", () => {
    using folder = project();
    const { stdout } = knack(folder, ["route", "請審查需求文件並 debug"]);
    expect(stdout).toMatch(
      /role +fixer\nskill +debug\nby +rule debug\nbecause +cause first\nmatched +“debug”/,
    );
    expect(stdout).toMatch(/also close\nROLE .*\noracle +review +rule review +“審查”/);
    expect(knack(folder, ["route", "good morning"]).stdout).toMatch(/skill +mine\nby +the default/);
    expect(knack(folder, ["route", "bake sourdough bread"]).stdout).toMatch(/skill +mine\nby +the search/);
  });

  it("says by which priority a rule came before another, and of a long request what counts", () => {
    using folder = project(RULES.replace("reason: judged", "reason: judged, priority: 3"));
    const { stdout } = knack(folder, ["route", "請審查需求文件並 debug"]);
    expect(stdout).toMatch(/by +rule review \(priority 3\)/);
    expect(stdout).toMatch(/fixer +debug +rule debug \(priority 0\) +“debug”/);
    const long = knack(folder, ["route", `${"x".repeat(5000)} 審查`]);
    expect(long.stdout).toMatch(/by +the default/);
    expect(long.stderr).toContain("first 4096 characters of a request; this one has 5003");
  });

  it("a wrong file is exit 1 with file and line, and nothing on standard output", () => {
    using folder = project(RULES.replace("fixer", "fixr").replace("'除錯'", "'('"));
    const { code, stdout, stderr } = knack(folder, ["route", "debug"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`${folder.at(ROUTING)}:4: There is no role "fixr". Did you mean "fixer"?`);
    expect(stderr).toContain("(E_REGEX)");
    expect(stderr).not.toContain("    at ");
    expect(knack(folder, ["route", "debug", "--json"]).json()).toMatchObject({
      error: { code: "CONFIG_INVALID" },
    });
  });

  it("doctor tells how many rules there are, and every wrong line", () => {
    using folder = project();
    expect(knack(folder, ["doctor"]).stdout).toMatch(/ok +routing: .*routing\.yaml, 2 rules/);
    folder.write({ [ROUTING]: RULES.replace("fixer", "fixr") });
    const wrong = knack(folder, ["doctor"]);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/wrong routing: .*routing\.yaml:4: There is no role "fixr"/);
  });

  it("without a request is wrong usage", () => {
    using folder = project();
    expect(knack(folder, ["route"]).code).toBe(2);
  });

  it("an untrusted project has no say: only the user's skills, and a note", () => {
    using folder = project("not: [yaml");
    knack(folder, ["trust", "--revoke"]);
    const answer = knack(folder, ["route", "debug this", "--json"]);
    expect(answer).toMatchObject({ code: 0 });
    expect(JSON.parse(answer.stdout)).toMatchObject({ source: "default", skill: null, others: [] });
    expect(answer.stderr).toContain("is not read until you trust this project");
    const own = knack(folder, ["route", "bake sourdough bread", "--json"]);
    expect(JSON.parse(own.stdout)).toMatchObject({ source: "search", skill: "mine" });
  });

  it("nothing in a routing file or a request steers the terminal", () => {
    using folder = project(RULES.replace("reason: cause first", 'reason: "\\e[31mred"'));
    const { stdout } = knack(folder, ["route", "debug \u001b[2J"]);
    expect(stdout).toContain("\\x1b[31mred");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("knack orchestrate", () => {
  it("--dry-run routes a request, makes its frame, and starts nothing", () => {
    using folder = project();
    const { code, stdout } = knack(folder, ["orchestrate", "--dry-run", "debug it's", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      route: { role: "fixer", skill: "debug", source: "rule" },
      header: { execution_mode: "root", identity: { role: "fixer", current_skill: "debug" } },
      frame: expect.stringContaining("debug it's"),
    });
    const told = knack(folder, ["orchestrate", "--dry-run", "debug it's"]);
    expect(told.stdout).toContain("execution_mode: root");
    expect(told.stderr).toMatch(/skill\s+debug/);
  });

  it("gives the frame to a runner, and adds the route to what it reports", () => {
    using folder = project();
    const args = ["orchestrate", "debug it", "--runner-cmd", "cat", "--json"];
    const { code, stdout, stderr } = knack(folder, args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ route: { skill: "debug" }, runner: { exit_code: 0 } });
    expect(stderr).toContain("current_skill: debug");
  });

  it("a route may name a typed skill, which is then run by the engine", () => {
    const rule =
      "  - { id: hash, role: librarian, skill: file_fingerprint, reason: exact, patterns: [inputs] }\n";
    using folder = project(`${RULES}${rule}`);
    const request = '{"inputs": [{"path": "a.md"}]}';
    folder.write({ "repo/a.md": "# A\n" });
    expect(knack(folder, ["doctor", "--json"]).json().checks).toContainEqual(
      expect.objectContaining({ name: "routing", ok: true }),
    );
    const { code, stdout } = knack(folder, ["orchestrate", request, "--runner-cmd", "true", "--json"]);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      route: { skill: "file_fingerprint", rule: "hash", role: "librarian" },
      tool: { name: "file_fingerprint", result: { status: "success" } },
    });
    const wrong = project(`${RULES}${rule.replace("print,", "prin,")}`);
    expect(knack(wrong, ["route", "x"]).stderr).toContain('Did you mean "file_fingerprint"?');
    wrong[Symbol.dispose]();
  });

  it("the log says what was routed, and the dispatch by the same id", () => {
    using folder = project();
    folder.write({ "home/.knack/config.yaml": "record: full\n" });
    knack(folder, ["route", "debug", "it"]);
    knack(folder, ["orchestrate", "debug it", "--runner-cmd", "true"]);
    const told = knack(folder, ["audit", "export"])
      .stdout.split("\n")
      .filter((line) => line.includes("DISPATCHED"))
      .map((line) => JSON.parse(JSON.parse(line).payload_json));
    expect(told.map(({ status }) => status)).toEqual(["routed", "routed", "started", "ended", "finished"]);
    expect(told[0]).toMatchObject({
      status: "routed",
      request: "debug it",
      role: "fixer",
      skill: "debug",
      source: "rule",
      rule: "debug",
      matched: ["debug"],
      by: "person",
    });
    expect(new Set(told.slice(1).map(({ request_id }) => request_id)).size).toBe(1);
  });

  it("says once what a person should know, whatever it opens", () => {
    using folder = project();
    knack(folder, ["trust", "--revoke"]);
    folder.write({ "repo/.knack/config.yaml": "runners: { default: x, x: { command: [x] } }\n" });
    const { stderr } = knack(folder, ["orchestrate", "bake sourdough bread", "--dry-run", "--json"]);
    const notes = stderr.split("\n").filter((line) => line.startsWith("note:"));
    expect(notes.some((line) => line.includes("runners"))).toBe(true);
    expect(new Set(notes).size).toBe(notes.length);
  });

  it("has nothing to dispatch where no skill is for a request", () => {
    using folder = project();
    knack(folder, ["trust", "--revoke"]);
    const { code, stderr } = knack(folder, ["orchestrate", "--dry-run", "debug"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/root skill .* does not exist/);
  });
});
