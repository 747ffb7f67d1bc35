import { spawn, spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Folder, makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { bubblewrapHere } from "../../packages/engine/src/isolate/bubblewrap.ts";
import { confinementHere } from "../../packages/engine/src/isolate/confinement.ts";
import { pythonHere } from "../../packages/engine/src/isolate/execute.ts";
import type { RunReport } from "../../packages/engine/src/run/run-report.ts";
import { environment, PROGRAM } from "../cli/run.ts";

const bubblewrap = await bubblewrapHere();
const python = await pythonHere();
const kernel = await confinementHere();
const canHide = bubblewrap.works && python.found;

/** Runs the program on a machine that seems to lack programs of these names. */
function knackWithout(folder: Folder, names: readonly string[], args: readonly string[]) {
  const places = names.flatMap((name) =>
    ["/usr/bin", "/bin", "/usr/local/bin", ...(process.env.PATH ?? "").split(":")]
      .map((place) => join(place, name))
      .filter((path) => existsSync(path))
      .map((path) => realpathSync(path)),
  );
  const hidden = [...new Set(places)].flatMap((path) => ["--ro-bind", "/dev/null", path]);
  const command = [
    "--dev-bind",
    "/",
    "/",
    ...hidden,
    "--die-with-parent",
    process.execPath,
    PROGRAM,
    ...args,
  ];
  const { status, stdout, stderr } = spawnSync(bubblewrap.works ? bubblewrap.program : "", command, {
    cwd: folder.at("repo"),
    env: { ...environment(folder), KNACK_TRUST: "all" },
    encoding: "utf8",
    timeout: 120_000,
  });
  return { code: status, stdout, stderr };
}

const entry = (name: string, file: string): string =>
  `  - { name: ${name}, implementation: "impl/${file}:run", inputs: [], outputs: { artifacts: [], evidences: [{ kind: SAID, schema: { fields: [text] } }] }, params: { schema: { type: object, properties: { text: {} } } }, idempotency: { cache: true } }\n`;
const SAYS = `
def run(ctx):
    return {"status": "SUCCEEDED", "artifacts": [], "evidences": [{"kind": "SAID", "data": {"text": "said"}}], "error": None}`;
/** Runs another typed skill of the project with the program, and returns its outcome. */
const asks = (folder: Folder, name: string): string => `
import os, subprocess
def run(ctx):
    env = {**os.environ, "HOME": ${JSON.stringify(folder.at("home"))}, "KNACK_TRUST": "all"}
    command = [${JSON.stringify(process.execPath)}, ${JSON.stringify(PROGRAM)}, "run", "${name}", "--json"]
    told = subprocess.run(command, cwd=${JSON.stringify(folder.at("repo"))}, env=env, capture_output=True, text=True, timeout=60)
    return {"status": "SUCCEEDED", "artifacts": [], "evidences": [{"kind": "SAID", "data": {"text": told.stdout + told.stderr}}], "error": None}`;

function makeProject(): Folder {
  const folder = makeFolder({
    "home/": "",
    "repo/.git/": "",
    "repo/skills/registry.yaml": `version: 1\nskills:\n${entry("says", "says.py")}${entry("script", "script.mjs")}${entry("own", "own.py")}${entry("there", "there.py")}${entry("back", "back.py")}`,
    "repo/impl/says.py": SAYS,
    "repo/impl/script.mjs":
      "export const run = () => ({ status: 'SUCCEEDED', artifacts: [], evidences: [{ kind: 'SAID', data: { text: 'said' } }], error: null });",
  });
  folder.write({
    "repo/impl/own.py": asks(folder, "own"),
    "repo/impl/there.py": asks(folder, "back"),
    "repo/impl/back.py": asks(folder, "there"),
  });
  return folder;
}

const ALLOWED = "isolation: { allowNone: [says, own, there, back] }\n";

describe.skipIf(!canHide)("a skill in Python where bubblewrap is missing (needs bubblewrap, python3)", () => {
  const ask = (folder: Folder, name: string, hidden = ["bwrap"]): RunReport & { stderr: string } => {
    const { stdout, stderr } = knackWithout(folder, hidden, ["run", name, "--json"]);
    return { ...(JSON.parse(stdout) as RunReport), stderr };
  };

  it("is refused, and the refusal says both ways to go on", () => {
    using folder = makeProject();
    const { status, error, isolation } = ask(folder, "says");
    expect({ status, code: error?.code, isolation }).toEqual({
      status: "FAILED",
      code: "ACCESS_DENIED",
      isolation: "none",
    });
    expect(error?.message).toMatch(
      /bubblewrap is not installed.*Install bubblewrap.*isolation: \{ allowNone: \[.*\] \}.*~\/\.knack\/config\.yaml/,
    );
  });

  it("is not allowed by its own project, trusted or not, and that is told", () => {
    using folder = makeProject();
    folder.write({ "repo/.knack/config.yaml": ALLOWED });
    const { error, stderr } = ask(folder, "says");
    expect(error?.code).toBe("ACCESS_DENIED");
    expect(stderr).toMatch(/"isolation" in .*repo\/\.knack\/config\.yaml is ignored/);
  });

  it("runs where the user's own file names it, and no other does", () => {
    using folder = makeProject();
    folder.write({ "home/.knack/config.yaml": "isolation: { allowNone: [other] }\n" });
    expect(ask(folder, "says").error?.code).toBe("ACCESS_DENIED");
    folder.write({ "home/.knack/config.yaml": ALLOWED });
    expect(ask(folder, "says")).toMatchObject({ status: "SUCCEEDED", isolation: "none" });
  });

  it.each([
    ["with Landlock", ["bwrap"], kernel.works ? /Landlock \(ABI \d+\)/ : /permission model only/],
    ["alone", ["bwrap", "perl"], /permission model only.*Perl/],
  ])("JavaScript runs under Node's permission model %s, and doctor says so", (_how, hidden, says) => {
    using folder = makeProject();
    expect(ask(folder, "script", hidden)).toMatchObject({
      status: "SUCCEEDED",
      isolation: "node-permission",
    });
    expect(knackWithout(folder, hidden, ["doctor"]).stdout).toMatch(says);
  });
});

describe.skipIf(!canHide)("a skill that asks for its own key (needs bubblewrap, python3)", () => {
  it.each([
    ["itself", "own", "own → own"],
    ["by way of another", "there", "there → back → there"],
  ])("%s, gets an error at once instead of waiting for itself", (_how, name, way) => {
    using folder = makeProject();
    folder.write({ "home/.knack/config.yaml": ALLOWED });
    const { stdout } = knackWithout(folder, ["bwrap", "perl"], ["run", name, "--json"]);
    const { status, evidences } = JSON.parse(stdout) as RunReport;
    expect(status).toBe("SUCCEEDED");
    expect(JSON.stringify(evidences)).toContain("CONFLICT");
    expect(JSON.stringify(evidences)).toContain(`would wait for itself`);
    expect(JSON.stringify(evidences)).toContain(way);
  });
});

describe.skipIf(process.platform === "win32")("the debugger of the program", () => {
  it.each([
    ["serve", ["serve", "--port", "0"]],
    ["mcp", ["mcp"]],
  ])("is not opened by a signal (%s)", async (_name, args) => {
    using folder = makeProject();
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder.at("repo"),
      env: environment(folder),
      stdio: "pipe",
    });
    let told = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        told += chunk;
      });
    const ended = new Promise<number | null>((done) => child.once("close", done));
    if (args[0] === "serve") while (!told.includes("http://")) await wait(50);
    else {
      const hello = {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      };
      child.stdin.write(`${JSON.stringify(hello)}\n`);
      while (!told.includes('"id":1')) await wait(50);
    }
    for (let times = 0; times < 3; times++) {
      child.kill("SIGUSR1");
      await wait(200);
    }
    expect(child.exitCode).toBeNull();
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(told).not.toContain("Debugger");
  });
});
