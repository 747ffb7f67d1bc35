import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment, PROGRAM, program, REPO } from "../cli/run.ts";

/**
 * An agent for tests. It writes down which skill it was started for, then dispatches what its plan says for that skill, by the
 * way that the plan says, and prints what it was answered.
 */
const AGENT = `
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";

const { program, home, way, calls, log } = JSON.parse(readFileSync(new URL("./plan.json", import.meta.url)));
let frame = "";
for await (const chunk of process.stdin) frame += chunk;
const skill = /current_skill: (\\S+)/.exec(frame)[1];
appendFileSync(log, skill + "\\n");
const env = {
  inherited: process.env,
  cleared: { PATH: process.env.PATH, HOME: home },
  forged: { ...process.env, KNACK_RUNNER_MARK: randomUUID() },
  elsewhere: { PATH: process.env.PATH, HOME: home + "-other", KNACK_TRUST: "all" },
}[way] ?? process.env;

function byCommand([target, ...flags]) {
  const args = [program, "dispatch", "--role", "fixer", "--skill", target, "--prompt", "x", "--json", ...flags];
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  return stdout === "" ? { stderr } : JSON.parse(stdout);
}

async function byMcp([target]) {
  const server = spawn(process.execPath, [program, "mcp", "--tools", "all"], { env, stdio: ["pipe", "pipe", "ignore"] });
  const say = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  const clientInfo = { name: "agent", version: "1" };
  say({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  say({ method: "notifications/initialized" });
  const dispatch = { name: "skill_dispatch", arguments: { role: "fixer", skill: target, prompt: "x" } };
  say({ id: 2, method: "tools/call", params: dispatch });
  let text = "";
  for await (const chunk of server.stdout) {
    text += chunk;
    const answer = text.split("\\n").slice(0, -1).map((line) => JSON.parse(line)).find(({ id }) => id === 2);
    if (!answer) continue;
    server.kill();
    return answer.result;
  }
}

for (const call of calls[skill] ?? [])
  appendFileSync(log, JSON.stringify(way === "mcp" ? await byMcp(call) : byCommand(call)) + "\\n");
`;

/** A trusted project in which alpha needs beta and beta needs alpha, with an agent that does what the plan says. */
function makeNested(way: string, calls: Readonly<Record<string, readonly (readonly string[])[]>>): Folder {
  const skill = (name: string, now = ""): Record<string, string> => ({
    [`${REPO}/${name}/SKILL.md`]: skillText(
      name,
      `Does ${name}.`,
      now && `metadata: { requires-now: "${now}" }\n`,
    ),
  });
  const folder = makeFolder({
    "repo/.git/": "",
    "home/.knack/": "",
    "agent.mjs": AGENT,
    ...skill("tao-of-coding"),
    ...skill("alpha", "beta"),
    ...skill("beta", "alpha tao-of-coding"),
    ...skill("other"),
  });
  const command = JSON.stringify([process.execPath, folder.at("agent.mjs")]);
  folder.write({
    "plan.json": JSON.stringify({
      program: PROGRAM,
      home: folder.at("home"),
      way,
      calls,
      log: folder.at("log"),
    }),
    "home/.knack/config.yaml": `runners: { default: agent, agent: { command: ${command} } }\npermissions: { default: allow }\n`,
  });
  expect(program(folder, ["trust", "--yes"]).code).toBe(0);
  return folder;
}

/** The skills that agents were started for, in order, and what their own dispatches were answered. */
function outcome(folder: Folder): { started: string[]; answers: Record<string, unknown>[] } {
  const lines = readFileSync(folder.at("log"), "utf8").trim().split("\n");
  return {
    started: lines.filter((line) => !line.startsWith("{")),
    answers: lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line)),
  };
}

const start = (folder: Folder, ...more: readonly string[]) =>
  program(folder, ["dispatch", "--role", "fixer", "--skill", "alpha", "--prompt", "x", ...more]);

const FROM_ALPHA = { current_skill: "alpha", depth: 0, skill_stack: ["alpha"], request_id: "r-1" };

describe("000 goals 1 to 3: an agent that dispatches by itself continues from its own frame", () => {
  it.each(["inherited", "cleared", "forged"])(
    "by knack dispatch without flags, environment %s: all four guards hold, with the true fields",
    (way) => {
      using folder = makeNested(way, {
        alpha: [["tao-of-coding"], ["alpha"], ["other"], ["beta", "--max-depth", "0"]],
      });
      expect(start(folder, "--request-id", "r-1").code).toBe(0);
      const { answers } = outcome(folder);
      expect(answers.map(({ error }) => error)).toMatchObject([
        { code: "E_ROOT_RELOAD_BLOCKED", target_skill: "tao-of-coding", ...FROM_ALPHA },
        { code: "E_SKILL_REENTRY_BLOCKED", target_skill: "alpha", ...FROM_ALPHA },
        { code: "E_EDGE_NOT_EXECUTABLE", target_skill: "other", ...FROM_ALPHA },
        { code: "E_DEPTH_LIMIT", target_skill: "beta", ...FROM_ALPHA },
      ]);
    },
  );

  it("what the agent says of itself cannot raise its limits", () => {
    const lies = ["--execution-mode", "root", "--max-depth", "99", "--allow-reentry", "--request-id", "mine"];
    using folder = makeNested("inherited", {
      alpha: [
        ["alpha", ...lies],
        ["tao-of-coding", ...lies],
      ],
    });
    expect(start(folder, "--request-id", "r-1").code).toBe(0);
    expect(outcome(folder).answers.map(({ error }) => error)).toMatchObject([
      { code: "E_SKILL_REENTRY_BLOCKED", ...FROM_ALPHA },
      { code: "E_ROOT_RELOAD_BLOCKED", ...FROM_ALPHA },
    ]);
  });

  it("a circle of agents ends where it would begin again, and the log shows the one tree", () => {
    using folder = makeNested("inherited", { alpha: [["beta"]], beta: [["alpha"]] });
    // A run makes the log, which records dispatches from then on.
    folder.write({ "repo/input.txt": "text\n" });
    expect(program(folder, ["run", "file_fingerprint", "--input", "input.txt"]).code).toBe(0);
    expect(start(folder, "--request-id", "r-1").code).toBe(0);
    const { started } = outcome(folder);
    // Once by the agent of alpha itself, once by the tree after it.
    expect(started).toEqual(["alpha", "beta", "beta"]);
    const log = program(folder, ["audit", "export"]).stdout.split("\n");
    const dispatched = log.filter((line) => line.includes("DISPATCHED"));
    expect(dispatched.length).toBeGreaterThan(6);
    expect(dispatched.filter((line) => !line.includes('"r-1"') && !line.includes('\\"r-1\\"'))).toEqual([]);
  });

  it("over MCP: the code and the five fields are in the text and in _meta", () => {
    using folder = makeNested("mcp", { alpha: [["tao-of-coding"], ["alpha"], ["other"]] });
    expect(start(folder, "--request-id", "r-1").code).toBe(0);
    const codes = ["E_ROOT_RELOAD_BLOCKED", "E_SKILL_REENTRY_BLOCKED", "E_EDGE_NOT_EXECUTABLE"];
    const { answers } = outcome(folder);
    expect(answers).toMatchObject(
      codes.map((code) => ({ _meta: { "knack/dispatch": { code, ...FROM_ALPHA } } })),
    );
    for (const [at, code] of codes.entries())
      expect(JSON.stringify(answers[at])).toMatch(
        new RegExp(`"text":"Error: ${code}: .*alpha → .*, depth 0, stack alpha, r-1`),
      );
  });

  it("with another home folder nothing is known of the agent, so it is refused", () => {
    using folder = makeNested("elsewhere", { alpha: [["other"]] });
    folder.write({ "home-other/": "" });
    expect(start(folder).code).toBe(0);
    expect(outcome(folder).answers).toMatchObject([{ error: { code: "ACCESS_DENIED" } }]);
  });

  it("the frame is gone when the runner has ended, also where Knack was killed", () => {
    using folder = makeNested("inherited", {});
    expect(start(folder).code).toBe(0);
    const frames = () =>
      readdirSync(folder.at("home/.knack/frames")).filter((name) => name.endsWith(".json"));
    expect(frames()).toEqual([]);
    folder.write({
      // Ends by itself once its parent is gone.
      "slow.mjs": `import { writeFileSync } from "node:fs";
const parent = process.ppid;
writeFileSync(${JSON.stringify(folder.at("pid"))}, String(parent));
setInterval(() => process.ppid === parent || process.exit(), 50);
`,
    });
    const killed = `${process.execPath} ${PROGRAM} dispatch --role fixer --skill alpha --prompt x --runner-cmd "${process.execPath} ${folder.at("slow.mjs")}" &
      while [ ! -s ${folder.at("pid")} ]; do sleep 0.05; done; kill -9 $(cat ${folder.at("pid")}); wait`;
    spawnSync("/bin/sh", ["-c", killed], {
      cwd: folder.at("repo"),
      env: environment(folder),
      encoding: "utf8",
    });
    expect(frames()).toHaveLength(1);
    // The next dispatch removes it.
    expect(start(folder, "--dry-run").code).toBe(0);
    expect(frames()).toEqual([]);
  });
});
