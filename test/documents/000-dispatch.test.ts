import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { renderHeader } from "../../packages/core/src/dispatch/header.ts";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import { dispatch, makeDispatchProject, skill } from "../cli/dispatch-project.ts";
import { environment, knack, PROGRAM, REPO } from "../cli/run.ts";

/** The texts of document 000 §8, from the document itself; only the script's name differs. */
const ASKED = [
  ..."--role fixer --skill systematic-debugging --execution-mode delegated --depth 1".split(" "),
  ..."--parent-skill executing-plans --edge-type requires_now".split(" "),
  ..."--visited-skills writing-plans,executing-plans --prompt 請依技能流程追查根因，先不要提出修復".split(
    " ",
  ),
];
const EXAMPLE = [...ASKED, "--runner-cmd", 'gemini --model "gemini-3-flash-preview" -p "$(cat)"'];

const headerIn = (frame: string): string => /```yaml\n([\s\S]*?)```/.exec(frame)?.[1] ?? "";

/** As in the document, without the comments. */
const SECTION_2 = `execution_mode: delegated
identity:
  role: fixer
  current_skill: systematic-debugging
  origin_skill: executing-plans
  root_loaded: true
policy:
  forbid_root_reload: true
  max_depth: 3
  allow_reentry: false
trace:
  request_id: req-2026-02-15-001
  depth: 2
  skill_stack:
    - writing-plans
    - executing-plans
    - systematic-debugging
  visited_skills:
    - writing-plans
    - executing-plans
`;
const HEADER = parse(SECTION_2);

describe("000 §8 the example command", () => {
  it("works as written, with a stand-in for gemini, and gives the header of §2", () => {
    using folder = makeDispatchProject();
    const { code, stdout, stderr } = dispatch(folder, EXAMPLE);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [first, model, flag, frame = "", ...rest] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([first, model, flag, rest]).toEqual(["--model", "gemini-3-flash-preview", "-p", []]);
    // The only value that the document chose: without --request-id it is generated.
    const header = headerIn(frame).replace(/req-\d{4}-\d\d-\d\d-\w+/, "req-2026-02-15-001");
    expect(header).toBe(SECTION_2);
    expect(frame).toContain("Text of systematic-debugging.");
    expect(frame).not.toContain("Text of tao-of-coding.");
    expect(frame.endsWith("請依技能流程追查根因，先不要提出修復")).toBe(true);
  });

  it("--json is header, runner, children and refusals; what the runner printed goes to standard error", () => {
    using folder = makeDispatchProject();
    const id = ["--request-id", "req-2026-02-15-001"];
    const { code, stderr, json } = dispatch(folder, [...EXAMPLE, "--json", ...id]);
    expect(code).toBe(0);
    expect(json()).toEqual({
      header: HEADER,
      runner: { exit_code: 0, signal: null, timed_out: false },
      children: [],
      refusals: [],
    });
    expect(stderr).toContain("gemini-3-flash-preview");
  });

  it("--dry-run --json is header, frame and files, and starts nothing", () => {
    using folder = makeDispatchProject();
    const { code, stdout } = dispatch(folder, [...EXAMPLE, "--dry-run", "--json"]);
    const { header, frame, files, ...rest } = JSON.parse(stdout);
    expect({ code, rest }).toEqual({ code: 0, rest: {} });
    expect(headerIn(frame)).toBe(renderHeader(header));
    expect(files).toEqual(["knack:roles/fixer.md", folder.at(`${REPO}/systematic-debugging/SKILL.md`)]);
  });
});

/** The block of document 000 §8, letter for letter. */
const COMMAND = `skills/tao-of-coding/scripts/skill-dispatch.sh \\
  --role fixer \\
  --skill systematic-debugging \\
  --execution-mode delegated \\
  --depth 1 \\
  --parent-skill executing-plans \\
  --edge-type requires_now \\
  --visited-skills writing-plans,executing-plans \\
  --prompt "請依技能流程追查根因，先不要提出修復" \\
  --runner-cmd 'gemini --model "gemini-3-flash-preview" -p "$(cat)"'
`;

describe("000 §8 in a clone of this repository", () => {
  const REPOSITORY = join(import.meta.dirname, "../..");

  /** Skills and scripts of the repository, with the program where `npm ci` puts it. */
  function clone(): Folder {
    const folder = makeDispatchProject();
    for (const name of ["skills", ".agents"])
      cpSync(join(REPOSITORY, name), folder.at("clone", name), { recursive: true });
    mkdirSync(folder.at("clone/.git"));
    mkdirSync(folder.at("clone/node_modules/.bin"), { recursive: true });
    symlinkSync(PROGRAM, folder.at("clone/node_modules/.bin/knack"));
    return folder;
  }

  const run = (folder: Folder, script: string) =>
    spawnSync("/bin/sh", ["-c", script], {
      cwd: folder.at("clone"),
      env: {
        ...environment(folder),
        PATH: `${folder.at("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`,
        KNACK_TRUST: "all",
      },
      encoding: "utf8",
    });

  it("the command of the document runs word for word", () => {
    using folder = clone();
    const { status, stdout, stderr } = run(folder, COMMAND);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain('"gemini-3-flash-preview"');
    expect(stdout).toContain("current_skill: systematic-debugging");
  });

  it("the script for requests chooses by the rules in references/skill-routing.yaml", () => {
    using folder = clone();
    const script = "skills/tao-of-coding/scripts/orchestrate-skill.sh '請除錯這個問題' --dry-run --json";
    const { status, stdout, stderr } = run(folder, script);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout).route).toMatchObject({ rule: "debug", skill: "systematic-debugging" });
    // Nothing but the YAML is edited.
    folder.write({
      "clone/skills/tao-of-coding/references/skill-routing.yaml":
        "version: 1\ndefault: { role: fixer, skill: systematic-debugging, reason: r }\nroutes: [{ id: other, role: oracle, skill: code-review, reason: r, patterns: [除錯] }]\n",
    });
    expect(JSON.parse(run(folder, script).stdout).route).toMatchObject({
      rule: "other",
      role: "oracle",
      skill: "code-review",
    });
  });
});

describe("000 §4 and §6 on the command line", () => {
  const refused = (folder: Folder, ...args: string[]) => {
    const { code, json } = dispatch(folder, [...ASKED, "--json", "--request-id", "r-1", ...args]);
    return { code, ...json() };
  };

  it.each<[string, string[], object]>([
    ["E_ROOT_RELOAD_BLOCKED", ["--skill", "tao-of-coding"], { target_skill: "tao-of-coding" }],
    ["E_SKILL_REENTRY_BLOCKED", ["--skill", "writing-plans"], { target_skill: "writing-plans" }],
    [
      "E_SKILL_REENTRY_BLOCKED",
      ["--skill-stack", "systematic-debugging,executing-plans"],
      { skill_stack: ["systematic-debugging", "executing-plans"] },
    ],
    ["E_DEPTH_LIMIT", ["--depth", "3"], { depth: 3 }],
    ["E_DEPTH_LIMIT", ["--max-depth", "1"], {}],
    ["E_EDGE_NOT_EXECUTABLE", ["--edge-type", "reference_only"], {}],
    ["E_EDGE_NOT_EXECUTABLE", ["--edge-type", "requires_later"], {}],
  ])("%s: exit 1 and the five fields (%j)", (code, args, more) => {
    using folder = makeDispatchProject();
    expect(refused(folder, ...args)).toEqual({
      code: 1,
      error: {
        code,
        message: expect.any(String),
        request_id: "r-1",
        current_skill: "executing-plans",
        target_skill: "systematic-debugging",
        depth: 1,
        skill_stack: ["writing-plans", "executing-plans"],
        ...more,
      },
    });
  });

  it("without --json it is a line on standard error with the code", () => {
    using folder = makeDispatchProject();
    const { code, stdout, stderr } = dispatch(folder, [...EXAMPLE, "--depth", "3"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: E_DEPTH_LIMIT: .*writing-plans > executing-plans.*\n$/);
  });

  it("--allow-reentry needs no value, --max-depth lets go deeper", () => {
    using folder = makeDispatchProject();
    expect(
      dispatch(folder, [...EXAMPLE, "--skill", "writing-plans", "--allow-reentry", "--dry-run"]).code,
    ).toBe(0);
    expect(dispatch(folder, [...EXAMPLE, "--depth", "5", "--max-depth", "6", "--dry-run"]).code).toBe(0);
  });
});

describe("000 §2, §3, §5 and §7 on the command line", () => {
  it("§2: the role has its guide, and dispatch in the configuration sets the policy", () => {
    using folder = makeDispatchProject({
      "home/.knack/config.yaml": "dispatch: { maxDepth: 5, forbidRootReload: false, allowReentry: true }\n",
    });
    const args = [...ASKED, "--role", "oracle", "--skill", "tao-of-coding", "--dry-run", "--json"];
    const { header, files } = JSON.parse(dispatch(folder, args).stdout);
    expect([header.identity.role, files[0], header.policy]).toEqual([
      "oracle",
      "knack:roles/oracle.md",
      { forbid_root_reload: false, max_depth: 5, allow_reentry: true },
    ]);
  });

  it("§3 and §5: what a skill says decides what runs, in its order; what a guard refuses keeps no sibling from running", () => {
    const needs = (name: string, text: string) => ({
      [`${REPO}/${name}/SKILL.md`]: skillText(name) + text,
    });
    const lines = [
      "REQUIRED SUB-SKILL：tao-of-coding",
      "必須觸發 writing-plans",
      "完成後再做 `after-work`",
      "下一階段才執行 `next-stage`",
      "See also `only-named`, and only-mentioned.",
      "requires_now: systematic-debugging",
    ];
    using folder = makeDispatchProject({
      ...needs("executing-plans", lines.join("\n\n")),
      ...skill("after-work"),
      ...skill("next-stage"),
      ...skill("only-named"),
      ...skill("only-mentioned"),
    });
    const args = "--role fixer --skill executing-plans --prompt x --runner gemini --json".split(" ");
    const { children, refusals } = JSON.parse(dispatch(folder, args).stdout);
    expect(
      children.map((child: typeof children) => {
        const { execution_mode, identity, trace } = child.header;
        return [
          execution_mode,
          identity.origin_skill,
          identity.current_skill,
          trace.depth,
          trace.skill_stack,
        ];
      }),
    ).toEqual(
      ["writing-plans", "systematic-debugging"].map((name) => [
        "delegated",
        "executing-plans",
        name,
        1,
        ["executing-plans", name],
      ]),
    );
    expect(refusals).toMatchObject([{ code: "E_ROOT_RELOAD_BLOCKED", target_skill: "tao-of-coding" }]);
    const { edges } = JSON.parse(knack(folder, ["show", "executing-plans", "--json"]).stdout);
    expect(Object.fromEntries(edges.map(({ to, type }: { to: string; type: string }) => [to, type]))).toEqual(
      {
        "tao-of-coding": "requires_now",
        "writing-plans": "requires_now",
        "after-work": "requires_later",
        "next-stage": "requires_later",
        "only-named": "reference_only",
        "only-mentioned": "reference_only",
        "systematic-debugging": "requires_now",
      },
    );
  });

  it("§7: frontmatter is read as the standard has it, and gives no identity", () => {
    const more =
      "metadata: { team: core }\nexecution_mode: root\nidentity: { role: oracle, root_loaded: false }\ntrace: { depth: 0 }\n";
    using folder = makeDispatchProject({
      [`${REPO}/systematic-debugging/SKILL.md`]: skillText("systematic-debugging", "Debugs.", more),
    });
    const { header, frame } = JSON.parse(dispatch(folder, [...ASKED, "--dry-run", "--json"]).stdout);
    expect({ ...header, trace: { ...header.trace, request_id: HEADER.trace.request_id } }).toEqual(HEADER);
    expect(frame).not.toContain("role: oracle");
    const { skill: shown } = JSON.parse(knack(folder, ["show", "systematic-debugging", "--json"]).stdout);
    expect(shown).toMatchObject({
      name: "systematic-debugging",
      description: "Debugs.",
      metadata: { team: "core" },
    });
  });

  it("§8: the frame says that work is handed on by knack dispatch alone", () => {
    using folder = makeDispatchProject();
    const { stdout } = dispatch(folder, [...ASKED, "--dry-run"]);
    expect(stdout).toContain('use "knack dispatch"');
    expect(stdout).toContain("never start another agent directly");
  });
});
