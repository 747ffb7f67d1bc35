import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { explainRun } from "../../packages/engine/src/run/explain-run.ts";
import type { RunReport } from "../../packages/engine/src/run/run-report.ts";
import { knack, TRUST } from "./run.ts";
import {
  ask,
  makeTypedProject,
  openState,
  type Refusal,
  SAID,
  start,
  stateOf,
  untilRunning,
} from "./typed-skills.ts";

type Explanation = Awaited<ReturnType<typeof explainRun>>;

const SHA = /^[0-9a-f]{64}$/;

describe("knack run", () => {
  it("answers a run in the shape that is promised, and the second time from the cache", () => {
    using folder = makeTypedProject();
    const args = ["run", "file_fingerprint", "--input", "a.md"];
    const first = ask(folder, args);
    expect(first.code).toBe(0);
    expect(first.data).toEqual({
      id: expect.any(String),
      skill: "file_fingerprint",
      key: expect.stringMatching(SHA),
      status: "SUCCEEDED",
      cached: false,
      task: null,
      inputs: [{ role: "input", kind: "FILE", path: "a.md", sha256: expect.stringMatching(SHA) }],
      params: {},
      artifacts: [],
      evidences: [{ kind: "FILE_HASH", data: expect.objectContaining({ path: "a.md", size_bytes: 4 }) }],
      error: null,
      isolation: "builtin",
      made_by: `${userInfo().username}@${hostname()}`,
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(ask(folder, args).data).toEqual({ ...first.data, cached: true });
    const told = knack(folder, args);
    expect(told.stdout).toContain("SUCCEEDED file_fingerprint (from an earlier run)");
    expect(told.stdout).toContain(`  made by    ${first.data.made_by}\n`);
  });

  it("ends as soon as its result is printed", () => {
    using folder = makeTypedProject();
    const watch = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
    const { writeSync } = fs;
    fs.writeSync = (fd, ...more) => {
      const timers = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout");
      if (fd === 1) writeSync(2, "still waiting: " + timers.length);
      return writeSync(fd, ...more);
    };
    syncBuiltinESMExports();`;
    const env = { ...TRUST.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(watch)}` };
    for (const asked of [["says"], ["says"], ["text_extract", "a.md"]]) {
      const { stdout, stderr } = knack(folder, ["run", ...asked, "--json"], { env });
      expect(stdout).toContain('"SUCCEEDED"');
      expect(stderr).toBe("still waiting: 0");
    }
  });

  it("serves the first run's result for the same bytes elsewhere, with the paths that were asked for", () => {
    using folder = makeTypedProject({ "repo/copy.md": "# A\n" });
    const first = ask(folder, ["run", "file_fingerprint", "--input", "a.md"]).data;
    const { data } = ask(folder, ["run", "file_fingerprint", "--input", "copy.md"]);
    expect(data).toMatchObject({ id: first.id, cached: true, inputs: [{ path: "copy.md" }] });
    expect(data.evidences).toEqual(first.evidences);
  });

  it("--input role=path; a prefix that is no declared role belongs to the path", () => {
    using folder = makeTypedProject({ "repo/role=x.md": "strange" });
    const { data } = ask(folder, ["run", "diff_artifact", "--input", "right=b.md", "--input", "left=a.md"]);
    expect(data.inputs.map(({ role, path }) => [role, path])).toEqual([
      ["left", "a.md"],
      ["right", "b.md"],
    ]);
    expect(data.artifacts).toMatchObject([
      { name: "diff", path: expect.stringMatching(/^workspace\/artifacts\/adhoc\//) },
    ]);
    const strange = ask(folder, ["run", "text_extract", "--input", "role=x.md"]).data;
    expect(strange.inputs).toMatchObject([{ role: "input", path: "role=x.md" }]);
  });

  it("takes files behind the name in the order of the inputs; --input fills what is left", () => {
    using folder = makeTypedProject({
      "repo/left=x.md": "strange",
      "repo/t.liquid": "{{ who }}",
      "repo/d.json": '{"who":"me"}',
    });
    const roles = (args: readonly string[]) =>
      ask(folder, ["run", ...args]).data.inputs.map(({ role, path }) => [role, path]);
    const both = [
      ["left", "a.md"],
      ["right", "b.md"],
    ];
    expect(roles(["diff_artifact", "a.md", "b.md"])).toEqual(both);
    expect(roles(["diff_artifact", "--input", "b.md", "a.md"])).toEqual(both);
    expect(roles(["diff_artifact", "a.md", "--input", "right=b.md"])).toEqual(both);
    expect(roles(["diff_artifact", "left=x.md", "b.md"])[0]).toEqual(["left", "left=x.md"]);
    expect(roles(["template_render", "t.liquid", "--input", "data=d.json"])).toEqual([
      ["template", "t.liquid"],
      ["data", "d.json"],
    ]);
  });

  it("reads YAML and schemas in the process of a built-in, which has no SQLite", () => {
    using folder = makeTypedProject({ "repo/t.liquid": "{{ who }}", "repo/d.yaml": "who: me\n" });
    const rendered = ask(folder, ["run", "template_render", "t.liquid", "d.yaml"]).data;
    const checked = ask(folder, [
      "run",
      "validator_basic",
      "a.md",
      "--param",
      'schema={"type":"object"}',
    ]).data;
    expect([rendered.status, checked.status]).toEqual(["SUCCEEDED", "SUCCEEDED"]);
  });

  it("is relative to where it was called", () => {
    using folder = makeTypedProject({ "repo/sub/c.md": "# C\n" });
    const { data } = ask(folder, ["run", "file_fingerprint", "--input", "c.md"], {
      cwd: "repo/sub",
      ...TRUST,
    });
    expect(data.inputs).toMatchObject([{ path: "sub/c.md" }]);
    expect(existsSync(stateOf(folder))).toBe(true);
  });

  it.each([
    ["3", 3],
    ['"3"', "3"],
    ["three", "three"],
    ["true", true],
    ["null", null],
    ['{"a":[1]}', { a: [1] }],
    ["{a:1}", "{a:1}"],
    ["a=b", "a=b"],
    ["", ""],
  ])("--param text=%s is %j", (given, expected) => {
    using folder = makeTypedProject();
    const { data } = ask(folder, ["run", "says", "--param", `text=${given}`], TRUST);
    expect(data).toMatchObject({ status: "SUCCEEDED", params: { text: expected } });
    expect(data.evidences).toEqual([{ kind: "SAID", data: { text: expected } }]);
    expect(["bubblewrap", "node-permission"]).toContain(data.isolation);
  });

  it.each([
    [["run", "nobody"], "NOT_FOUND", 1, "nobody"],
    [["run", "file_fingerprint"], "INVALID_PARAM", 2, "--input input=PATH"],
    [["run", "file_fingerprint", "--input", "none.md"], "NOT_FOUND", 1, "none.md"],
    [["run", "file_fingerprint", "--input", "."], "INVALID_PARAM", 2, "not a file"],
    [["run", "text_extract", "--input", "a.md", "--input", "b.md"], "INVALID_PARAM", 2, "b.md"],
    [["run", "text_extract", "a.md", "b.md"], "INVALID_PARAM", 2, "b.md is one input too many"],
    [["run", "nobody", "a.md"], "NOT_FOUND", 1, "nobody"],
    [["run", "diff_artifact", "a.md", "--input", "left=b.md"], "INVALID_PARAM", 2, '"left" is given twice'],
    [["run", "text_extract", "--input", "a.md", "--param", "max_char=3"], "INVALID_PARAM", 2, "max_chars"],
    [["run", "text_extract", "--input", "a.md", "--param", "max_chars=x"], "INVALID_PARAM", 2, "max_chars"],
    [["run", "text_extract", "--input", "a.md", "--param", "novalue"], "INVALID_PARAM", 2, "name=value"],
    [["run", "says", "--param", "text=1", "--param", "text=2"], "INVALID_PARAM", 2, "twice"],
    [["run", "says", "--param", 'text={"a":1,"a":2}'], "INVALID_PARAM", 2, "twice"],
    [["run", "file_fingerprint", "--input", "a.md", "--task", "../x"], "INVALID_PARAM", 2, "E_ARTIFACT_PATH"],
    [["run", "file_fingerprint", "--input", "a.md", "--task", ".."], "INVALID_PARAM", 2, "E_ARTIFACT_PATH"],
  ])("refuses %j", (args, code, exit, said) => {
    using folder = makeTypedProject();
    const refused = ask<Refusal>(folder, args);
    expect(refused.data).toEqual({ error: { code, message: expect.stringContaining(said) } });
    expect(refused.code).toBe(exit);
    const told = knack(folder, args);
    expect(told).toMatchObject({ code: exit, stdout: "" });
    expect(told.stderr).toMatch(/^error: .*\.?\n$/);
  });

  it("that failed exits with 1 and is not served again", () => {
    using folder = makeTypedProject({ "repo/t.liquid": "{{ who }}" });
    const args = ["run", "template_render", "--input", "t.liquid"];
    const first = ask(folder, args);
    expect(first).toMatchObject({
      code: 1,
      data: { status: "FAILED", cached: false, artifacts: [], evidences: [] },
    });
    expect(first.data.error?.message).toContain("who");
    expect(ask(folder, args).data.id).not.toBe(first.data.id);
    expect(knack(folder, args)).toMatchObject({ code: 1, stdout: expect.stringContaining("  error      ") });
  });

  it("makes an artifact that was lost or changed again where it was", () => {
    using folder = makeTypedProject();
    const args = ["run", "text_extract", "--input", "a.md"];
    const [made] = ask(folder, args).data.artifacts;
    const file = folder.at("repo", made?.path ?? "");
    const bytes = readFileSync(file);
    for (const harm of [() => rmSync(file), () => writeFileSync(file, "other")]) {
      harm();
      const why = ask<Explanation>(folder, [...args, "--explain"]).data;
      expect(why).toMatchObject({
        hit: false,
        reasons: [
          expect.stringContaining("cannot be used any more"),
          expect.stringContaining(made?.path ?? "?"),
        ],
      });
      expect(ask(folder, args).data).toMatchObject({ cached: false, artifacts: [{ path: made?.path }] });
      expect(readFileSync(file)).toEqual(bytes);
      expect(ask(folder, args).data.cached).toBe(true);
    }
  });

  it("--explain says what the key is made of and why it misses, runs nothing and makes nothing", () => {
    using folder = makeTypedProject();
    const args = ["run", "text_extract", "--input", "a.md"];
    const before = ask<Explanation>(folder, [...args, "--explain"]).data;
    expect(before).toMatchObject({
      skill: "text_extract",
      hit: false,
      parts: {
        implementation: "builtin:text_extract",
        inputs: [{ role: "input", path: "a.md" }],
        params: { max_chars: 200_000 },
        strategy: "INPUT_HASHES_PLUS_PARAMS",
      },
      reasons: ["text_extract has not succeeded here before."],
    });
    expect(existsSync(folder.at("repo/.knack"))).toBe(false);
    expect(existsSync(folder.at("repo/workspace"))).toBe(false);
    expect(ask(folder, args).data.key).toBe(before.key);
    expect(ask<Explanation>(folder, [...args, "--explain"]).data).toMatchObject({ hit: true });
    const other = ask<Explanation>(folder, [
      "run",
      "text_extract",
      "--input",
      "b.md",
      "--param",
      "max_chars=5",
      "--explain",
    ]);
    expect(other.data.reasons).toEqual([
      expect.stringContaining("Compared with the last success"),
      expect.stringMatching(/^The input input was [0-9a-f]{12}; now it is [0-9a-f]{12}\.$/),
      expect.stringMatching(/^The parameter max_chars was 200000; now it is \d+\.$/),
    ]);
    expect(knack(folder, [...args, "--explain"]).stdout).toContain(
      "It would return the cached result of an earlier run.",
    );
  });

  it("on Ctrl-C ends with 130, a run that says so and no process left behind", async () => {
    using folder = makeTypedProject();
    // The command line of the process that runs a function contains the function's file.
    const processesOf = () =>
      execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line.includes(folder.path) && !line.includes("knack.js"));
    const { child, closed } = start(folder, ["run", "waits", "--json"], TRUST.env);
    await untilRunning(folder, "waits");
    await expect.poll(processesOf).not.toEqual([]);
    child.kill("SIGINT");
    const { code, stdout } = await closed;
    expect({ code, answer: JSON.parse(stdout) }).toEqual({
      code: 130,
      answer: { error: { code: "CONFLICT", message: "Interrupted." } },
    });
    const { runs } = ask<{ runs: RunReport[] }>(folder, ["runs"]).data;
    expect(runs).toMatchObject([{ status: "FAILED", error: { code: "SKILL_INTERRUPTED" } }]);
    expect(processesOf()).toEqual([]);
  });
});

describe("the code of a project", () => {
  it("does not run before it is trusted, while built-in skills do; a changed byte asks again", () => {
    using folder = makeTypedProject();
    const args = ["run", "says", "--param", "text=hi"];
    const refused = ask<Refusal>(folder, args);
    expect(refused).toMatchObject({ code: 1, data: { error: { code: "ACCESS_DENIED" } } });
    expect(refused.data.error.message).toContain("knack trust");
    expect(ask(folder, ["run", "file_fingerprint", "--input", "a.md"]).code).toBe(0);
    expect(knack(folder, ["trust", "--yes"]).code).toBe(0);
    expect(ask(folder, args).data.status).toBe("SUCCEEDED");
    const code = readFileSync(folder.at("repo/impl/says.mjs"), "utf8");
    folder.write({ "repo/impl/says.mjs": `${code} ` });
    expect(ask<Refusal>(folder, args).data.error.code).toBe("ACCESS_DENIED");
    expect(knack(folder, ["trust", "--yes"]).stdout).toContain("is now trusted");
    expect(ask(folder, args).data).toMatchObject({ status: "SUCCEEDED", cached: false });
    folder.write({ "repo/impl/says.mjs": code });
    expect(ask<Refusal>(folder, args).data.error.code).toBe("ACCESS_DENIED");
    knack(folder, ["trust", "--revoke"]);
    expect(ask<Refusal>(folder, args).data.error.code).toBe("ACCESS_DENIED");
  });

  it("is approved with all that it imports", () => {
    using folder = makeTypedProject({
      "repo/impl/says.mjs":
        "import { text } from './lib/text.mjs';\nexport const run = () => ({ status: 'SUCCEEDED', artifacts: [], error: null, evidences: [{ kind: 'SAID', data: { text } }] });\n",
      "repo/impl/lib/text.mjs": "export const text = 'one';\n",
    });
    knack(folder, ["trust", "--yes"]);
    expect(ask(folder, ["run", "says"]).data.evidences).toMatchObject([{ data: { text: "one" } }]);
    folder.write({ "repo/impl/lib/text.mjs": "export const text = 'two';\n" });
    expect(ask<Refusal>(folder, ["run", "says"]).data.error.code).toBe("ACCESS_DENIED");
  });
});

describe("knack runs", () => {
  it("lists the newest first, by skill, state, task and time", () => {
    using folder = makeTypedProject({
      "repo/t.liquid": "{{ who }}",
      "repo/plan.yaml": "version: 1\nplan: p\ntasks: [{ id: mine }]\n",
    });
    const none = ask<{ runs: RunReport[]; count: number }>(folder, ["runs"]);
    expect(none.data).toEqual({ runs: [], count: 0 });
    expect(existsSync(folder.at("repo/.knack"))).toBe(false);
    ask(folder, ["plan", "apply", "plan.yaml"]);
    ask(folder, ["run", "file_fingerprint", "--input", "a.md"]);
    ask(folder, ["run", "template_render", "--input", "t.liquid", "--task", "mine"]);
    ask(folder, ["run", "text_extract", "--input", "a.md", "--task", "mine"]);
    const names = (...args: string[]) =>
      ask<{ runs: RunReport[] }>(folder, ["runs", ...args]).data.runs.map(({ skill }) => skill);
    expect(names()).toEqual(["text_extract", "template_render", "file_fingerprint"]);
    expect(names("--skill", "text_extract")).toEqual(["text_extract"]);
    expect(names("--status", "FAILED")).toEqual(["template_render"]);
    expect(names("--task", "mine")).toEqual(["text_extract", "template_render"]);
    expect(names("--task", "p/mine")).toEqual(["text_extract", "template_render"]);
    expect(names("--task", "q/mine")).toEqual([]);
    expect(names("--since", "2000-01-01")).toHaveLength(3);
    expect(names("--since", "2999-01-01")).toEqual([]);
    expect(names("--limit", "1")).toEqual(["text_extract"]);
    const [row] = knack(folder, ["runs", "--status", "FAILED"]).stdout.split("\n").slice(1);
    expect(row).toMatch(/template_render {2}FAILED/);
  });

  it("show has one run with its log; what is wrong is said", () => {
    using folder = makeTypedProject({
      "repo/impl/says.mjs": `export const run = ({ log }) => { log('one'); console.log('two \\u001b[31m'); return ${SAID}; };\n`,
    });
    const { id } = ask(folder, ["run", "says"], TRUST).data;
    const shown = ask<RunReport & { log: string }>(folder, ["runs", "show", id]);
    expect(shown).toMatchObject({ code: 0, data: { id, status: "SUCCEEDED", cached: false } });
    expect(shown.data.log).toMatch(/one[\s\S]*two/);
    expect(shown.stdout).not.toContain("\u001b");
    expect(knack(folder, ["runs", "show", id]).stdout).not.toContain("\u001b");
    expect(ask<Refusal>(folder, ["runs", "show", "none"])).toMatchObject({
      code: 1,
      data: { error: { code: "NOT_FOUND" } },
    });
    for (const wrong of [
      ["--limit", "0"],
      ["--limit", "x"],
      ["--since", "soon"],
      ["--status", "DONE"],
    ])
      expect(ask<Refusal>(folder, ["runs", ...wrong])).toMatchObject({
        code: 2,
        data: { error: { code: "INVALID_PARAM" } },
      });
  });
});

describe("a database that is not this version's", () => {
  it.each([
    ["of another program", "CREATE TABLE mine (x); INSERT INTO mine VALUES (1)"],
    [
      "of a newer version",
      "PRAGMA application_id = 1263419723; PRAGMA user_version = 99; CREATE TABLE x (y)",
    ],
    ["that is no database at all", undefined],
  ])("%s is opened by no command and left byte for byte; the state is in the user's folder", (_name, sql) => {
    using folder = makeTypedProject({ "repo/.knack/": "" });
    const file = folder.at("repo/.knack/state.db");
    if (sql === undefined) writeFileSync(file, "not a database, but somebody's notes");
    else {
      const db = new DatabaseSync(file);
      db.exec(sql);
      db.close();
    }
    const before = readFileSync(file);
    for (const args of [
      ["run", "file_fingerprint", "--input", "a.md"],
      ["runs"],
      ["audit"],
      ["audit", "verify"],
    ]) {
      for (const env of [{}, TRUST.env]) expect([args, ask(folder, args, { env }).code]).toEqual([args, 0]);
      expect(readFileSync(file).equals(before)).toBe(true);
    }
  });
});

describe("secrets", () => {
  it("are a digest in params_json and [redacted] in the log", () => {
    using folder = makeTypedProject();
    const secret = "sk-abcdefghijklmnop1234";
    ask(folder, ["run", "says", "--param", `text=${secret}`], TRUST);
    ask(folder, ["run", "template_render", "--input", "a.md", "--param", "api_key=hunter22222"]);
    using db = openState(folder);
    const all = JSON.stringify([
      db.prepare("SELECT params_json FROM skill_runs").all(),
      db.prepare("SELECT payload_json FROM task_events").all(),
    ]);
    expect(all).not.toContain(secret);
    expect(all).not.toContain("hunter22222");
    expect(all).toContain("sha256:");
  });
});
