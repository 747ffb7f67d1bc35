import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { environment, PROGRAM } from "../cli/run.ts";
import { makeTypedProject } from "../cli/typed-skills.ts";
import { Receiver, runProgram } from "./receiver.ts";

const DIST = join(import.meta.dirname, "../../packages/knack/dist");
const canTrace = spawnSync("strace", ["-V"]).status === 0;

/** The built files that contain OpenTelemetry: each registers or uses its API, which has this name. */
const SDK = readdirSync(DIST).filter(
  (file) => file.endsWith(".js") && /opentelemetry\.js\.api|OTLP/.test(withoutOwn(file)),
);

/** Our own settings name the variables. */
function withoutOwn(file: string): string {
  return readFileSync(join(DIST, file), "utf8").replace(/OTEL_\w+|`OTEL_[^`]*`/g, "");
}

/** Which of the program's own files a command opens. */
function opened(folder: Folder, args: readonly string[], env: NodeJS.ProcessEnv = {}): string[] {
  const trace = folder.at("trace");
  folder.write({ "home/": "", "repo/": "" });
  const command = ["-f", "-qq", "-e", "trace=open,openat", "-o", trace, process.execPath, PROGRAM, ...args];
  const { status, stderr } = spawnSync("strace", command, {
    cwd: folder.at("repo"),
    env: { ...environment(folder), KNACK_TRUST: "all", ...env },
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  const lines = readFileSync(trace, "utf8").split("\n");
  return lines.flatMap((line) => {
    const file = /packages\/knack\/dist\/([^"/]+\.js)"/.exec(line)?.[1];
    return file === undefined || line.includes("ENOENT") ? [] : [file];
  });
}

describe("telemetry that nobody asked for", () => {
  it.each([
    ["nothing is set", {}],
    ["OTEL_SDK_DISABLED is true", { OTEL_SDK_DISABLED: "true" }],
    ["the exporters are none", { OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }],
  ])("sends nothing: %s", async (_name, off) => {
    using folder = makeTypedProject({
      // A project has no say.
      "repo/.env": "OTEL_TRACES_EXPORTER=otlp\n",
    });
    await using receiver = await Receiver.start();
    const env = { ...(Object.keys(off).length > 0 ? receiver.env : {}), ...off };
    for (const args of [["list"], ["search", "a"], ["run", "says"]]) {
      const { code, stderr } = await runProgram(folder, args, env);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining("OpenTelemetry")]);
    }
    expect(receiver.requests).toEqual([]);
  });

  it.skipIf(!canTrace)("loads not a file of it", () => {
    using folder = makeTypedProject();
    expect(SDK.length).toBeGreaterThan(0);
    for (const args of [["list"], ["search", "a"], ["run", "says"]])
      expect(opened(folder, args).filter((file) => SDK.includes(file))).toEqual([]);
    // The check would find them.
    const on = opened(folder, ["list"], { OTEL_TRACES_EXPORTER: "otlp" });
    expect(on.filter((file) => SDK.includes(file))).not.toEqual([]);
  });
});
