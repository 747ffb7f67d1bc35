import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { dispatch, makeDispatchProject, skill } from "./dispatch-project.ts";
import { environment, knack, PROGRAM, REPO, TRUST } from "./run.ts";

describe("knack dispatch", () => {
  const base = ["--role", "oracle", "--skill", "executing-plans", "--prompt", "Go."];

  it("children run after their parent, in the order of its text, each with its own frame", () => {
    using folder = makeDispatchProject({
      ...skill("executing-plans", "systematic-debugging writing-plans"),
      ...skill("writing-plans", "executing-plans"),
    });
    const { code, stdout, stderr } = dispatch(folder, [...base, "--runner", "gemini"]);
    expect(code).toBe(0);
    expect(stdout.split("# Runtime header")).toHaveLength(4);
    const order = ["executing-plans", "systematic-debugging", "writing-plans"].map((name) =>
      stdout.indexOf(`Text of ${name}.`),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(stdout.split("Text of tao-of-coding.")).toHaveLength(2);
    expect(stderr).toMatch(/^refused: E_SKILL_REENTRY_BLOCKED: .*writing-plans → executing-plans/);
    const tree = "executing-plans: done\n  systematic-debugging: done\n  writing-plans: done\n";
    expect(stderr.endsWith(`\n${tree}`)).toBe(true);
  });

  it.each<[string, string[], object]>([
    ["an exit code", ["--runner-cmd", `${process.execPath} -e "process.exit(7)"`], { exit_code: 7 }],
    [
      "the time limit",
      ["--timeout", "0.5", "--runner-cmd", "sleep 60"],
      { exit_code: null, signal: "SIGTERM", timed_out: true },
    ],
  ])("a runner that fails by %s is exit 1, and starts no children", (_how, args, expected) => {
    using folder = makeDispatchProject(skill("executing-plans", "systematic-debugging"));
    const { code, stdout, stderr } = dispatch(folder, [...base, ...args, "--json"]);
    const { runner, children } = JSON.parse(stdout);
    expect({ code, runner, children }).toEqual({
      code: 1,
      runner: { exit_code: null, signal: null, timed_out: false, ...expected },
      children: [],
    });
    expect(stderr).toContain("failed: executing-plans");
  });

  it("the configuration names runners, and a default", () => {
    using folder = makeDispatchProject({
      "home/.knack/config.yaml": "runners: { default: mine, mine: { command: [gemini, --mine] } }\n",
    });
    expect(dispatch(folder, base).stdout.split("\n")[0]).toBe('"--mine"');
    expect(dispatch(folder, [...base, "--dry-run"]).stdout).toMatch(/^# Runtime header/);
    const { code, stderr } = dispatch(folder, [...base, "--runner", "min"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Did you mean mine?")]);
  });

  it("an untrusted project's skill goes to no runner; a person may read its frame", () => {
    using folder = makeDispatchProject();
    const { code, stdout, stderr } = dispatch(folder, [...base, "--runner", "gemini"], { KNACK_TRUST: "" });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("trust");
    expect(dispatch(folder, base, { KNACK_TRUST: "" }).code).toBe(0);
  });

  it("the task comes from a file too, the frame goes to one", () => {
    using folder = makeDispatchProject({ "repo/task.md": "任務\n" });
    const args = [...base.slice(0, 4), "--prompt-file", "task.md", "--output-file", "out/frame.md"];
    expect(dispatch(folder, args)).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(folder.at("repo/out/frame.md"), "utf8")).toMatch(/# Task\n\n任務\n$/);
  });

  it("a frame that cannot be written is told before a runner starts", () => {
    using folder = makeDispatchProject({ "repo/file": "" });
    const runner = ["--runner-cmd", "touch ran"];
    const { code, stderr } = dispatch(folder, [...base, ...runner, "--output-file", "file/frame.md"]);
    expect([code, existsSync(folder.at("repo/ran"))]).toEqual([1, false]);
    expect(stderr).toContain("cannot be written");
    expect(dispatch(folder, [...base, ...runner, "--output-file", "frame.md"]).code).toBe(0);
    expect(readFileSync(folder.at("repo/frame.md"), "utf8")).toMatch(/^# Runtime header[\s\S]*Go\.$/);
  });

  it.each<[string, number, string, RegExp]>([
    ["that is not there", 1, "none.md", /none\.md does not exist/],
    ["that is a folder", 2, "folder", /is a folder/],
    ["with bytes that are no text", 2, "bytes", /not UTF-8 text/],
    ["with a zero byte", 2, "zero", /not UTF-8 text/],
    ["too large for any model", 2, "large", /more than 4194304 bytes/],
    ["without end", 2, "/dev/zero", /more than 4194304 bytes/],
  ])("a task in a file %s is told, and nothing runs", (_what, code, file, message) => {
    using folder = makeDispatchProject({ "repo/folder/": "", "repo/zero": "a\0b" });
    writeFileSync(folder.at("repo/bytes"), Buffer.from([0x61, 0xff, 0xfe]));
    writeFileSync(folder.at("repo/large"), "");
    truncateSync(folder.at("repo/large"), 2 ** 30);
    const args = [...base.slice(0, 4), "--prompt-file", file, "--runner", "gemini"];
    const { stdout, stderr, ...rest } = dispatch(folder, args);
    expect([rest.code, stdout]).toEqual([code, ""]);
    expect(stderr).toMatch(message);
  });

  it("the task comes through a pipe too", () => {
    using folder = makeDispatchProject();
    const { stdout } = knack(folder, ["dispatch", ...base.slice(0, 4), "--prompt-file", "-"], {
      input: "\ufeff任務",
      env: { KNACK_TRUST: "all" },
    });
    expect(stdout.endsWith("# Task\n\n任務\n")).toBe(true);
  });

  it.each([
    ["--role", "pilot"],
    ["--depth", "-1"],
    ["--max-depth", "x"],
    ["--timeout", "0"],
    ["--edge-type", "now"],
    ["--execution-mode", "leaf"],
    ["--runner-cmd", "a 'b"],
    ["--prompt-file", "x"],
    ["--request-id", ""],
  ])("%s %j is wrong usage: exit 2", (...args) => {
    using folder = makeDispatchProject();
    const { code, stdout, stderr } = dispatch(folder, [...base, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(args[0]?.slice(2).split("-")[0] ?? "");
  });

  it("where a log is kept, it has the dispatches", () => {
    using folder = makeDispatchProject();
    expect(knack(folder, ["plan", "status", "plan.yaml"], TRUST).code).toBe(1);
    folder.write({ "repo/plan.yaml": "version: 1\nplan: p\ntitle: P\ntasks: [{ id: a }]\n" });
    expect(knack(folder, ["plan", "apply", "plan.yaml"], TRUST).code).toBe(0);
    dispatch(folder, [...base, "--runner", "gemini", "--request-id", "r-7"]);
    const log = knack(folder, ["audit", "export"], TRUST).stdout;
    const told = log.split("\n").filter((line) => line.includes("DISPATCHED"));
    expect(told.map((line) => JSON.parse(JSON.parse(line).payload_json).status)).toEqual([
      "started",
      "ended",
      "finished",
    ]);
    expect(told.every((line) => line.includes("r-7"))).toBe(true);
    expect(knack(folder, ["audit", "verify"], TRUST).code).toBe(0);
  });

  it("typed skills run through the engine, and are in the tree", () => {
    using folder = makeDispatchProject({
      "repo/notes.md": "# Notes\n",
      "repo/file_fingerprint/": "",
      ...skill("executing-plans", "file_fingerprint hash"),
      [`${REPO}/hash/SKILL.md`]:
        "---\nname: hash\ndescription: d\ninvocation_mode: tool_dispatch\ncommand_tool: file_fingerprint\n---\n",
    });
    const prompt = ["--prompt", '{"inputs": [{"path": "notes.md"}]}'];
    const args = ["--role", "oracle", "--skill", "executing-plans", ...prompt, "--runner-cmd", "true"];
    const { code, stdout } = dispatch(folder, [...args, "--json"]);
    const { runner, children, refusals, ...rest } = JSON.parse(stdout);
    expect({ code, runner, refusals, keys: Object.keys(rest) }).toEqual({
      code: 0,
      runner: { exit_code: 0, signal: null, timed_out: false },
      refusals: [],
      keys: ["header"],
    });
    expect(children).toMatchObject([
      {
        header: { identity: { current_skill: "file_fingerprint", origin_skill: "executing-plans" } },
        runner: null,
        tool: { name: "file_fingerprint", result: { data: { status: "SUCCEEDED", cached: false } } },
        children: [],
        refusals: [],
      },
      { header: { identity: { current_skill: "hash" } }, tool: { result: { data: { cached: true } } } },
    ]);
    const only = ["--role", "oracle", "--skill", "file_fingerprint"];
    expect(dispatch(folder, [...only, ...prompt, "--runner-cmd", "no-such-agent"]).stdout).toMatch(
      /^file_fingerprint succeeded, from an earlier run.\n- FILE_HASH/,
    );
    const failed = dispatch(folder, [...only, "--prompt", '{"inputs": [', "--runner-cmd", "true"]);
    expect([failed.code, failed.stderr]).toEqual([
      2,
      expect.stringMatching(/^error: file_fingerprint: give the arguments as a JSON object/),
    ]);
    const dry = dispatch(folder, [...only, ...prompt, "--json"]);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      frame: expect.stringContaining("the tool file_fingerprint is called with"),
      files: [],
      tool: { name: "file_fingerprint", arguments: { inputs: [{ path: "notes.md" }] }, result: null },
    });
  });

  it("Ctrl-C ends the runner and all that it started: exit 130", async () => {
    using folder = makeDispatchProject();
    const program = `process.on("SIGTERM", () => {}); const c = require("node:child_process").spawn("sleep", ["60"], { detached: true }); require("node:fs").writeFileSync("pids", process.pid + " " + c.pid + " ")`;
    const args = ["dispatch", ...base, "--json", "--runner-cmd", `${process.execPath} -e '${program}'`];
    const env = { ...environment(folder), KNACK_TRUST: "all" };
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder.at("repo"),
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const printed = text(child.stdout);
    const ended = new Promise((done) => child.once("exit", (...how) => done(how)));
    const file = folder.at("repo/pids");
    await expect.poll(() => existsSync(file)).toBe(true);
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(JSON.parse(await printed)).toEqual({ error: { code: "CONFLICT", message: "Interrupted." } });
    const isThere = (pid: string): boolean =>
      existsSync(`/proc/${pid}`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    expect(readFileSync(file, "utf8").trim().split(" ").filter(isThere)).toEqual([]);
  });

  it("a reader that has seen enough ends the runner too", () => {
    using folder = makeDispatchProject();
    const program = 'setInterval(() => console.log("x".repeat(10000)), 1)';
    const env = { ...environment(folder), KNACK_TRUST: "all" };
    const command = `'${process.execPath}' '${PROGRAM}' dispatch --role oracle --skill executing-plans --runner-cmd '"${process.execPath}" -e "${program.replaceAll('"', '\\"')}"' | head -c 10`;
    const { status, stdout } = spawnSync("sh", ["-c", command], {
      cwd: folder.at("repo"),
      env,
      encoding: "utf8",
      timeout: 150_000,
    });
    expect([status, stdout]).toEqual([0, "xxxxxxxxxx"]);
  });
});
