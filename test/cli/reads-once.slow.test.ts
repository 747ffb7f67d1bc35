import { spawnSync } from "node:child_process";
import { readFileSync, utimesSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment, knack, PROGRAM, REPO } from "./run.ts";

const canTrace = spawnSync("strace", ["-V"]).status === 0;
const OLD = new Date("2024-01-01T00:00:00Z");

const project = (): Folder =>
  makeFolder({
    "repo/.git/": "",
    "repo/.knack/config.yaml": "skills: { validation: lenient }\n",
    "home/.knack/config.yaml": "dispatch: { maxDepth: 2 }\n",
    "repo/input.txt": "text\n",
    [`${REPO}/a/SKILL.md`]: skillText("a"),
  });

/** How often a command opens each of these files. */
function opened(folder: Folder, args: readonly string[], files: readonly string[]): Record<string, number> {
  const trace = folder.at("trace");
  const { status, stderr } = spawnSync(
    "strace",
    ["-f", "-qq", "-e", "trace=open,openat", "-o", trace, process.execPath, PROGRAM, ...args],
    { cwd: folder.at("repo"), env: environment(folder), encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
  const lines = readFileSync(trace, "utf8").split("\n");
  const count = (file: string): number =>
    lines.filter((line) => line.includes(`"${folder.at(file)}"`) && !line.includes("ENOENT")).length;
  return Object.fromEntries(files.map((file) => [file, count(file)]));
}

describe.skipIf(!canTrace)("a command reads configuration and trust once", () => {
  it.each([
    [["list"]],
    [["search", "a"]],
    [["load", "a"]],
    [["run", "file_fingerprint", "--input", "input.txt"]],
    [["dispatch", "--role", "fixer", "--skill", "a", "--prompt", "x", "--dry-run"]],
    [["orchestrate", "use the a skill", "--dry-run"]],
  ])("knack %j", async (args) => {
    using folder = project();
    expect(knack(folder, ["trust", "--yes"]).code).toBe(0);
    const files = ["home/.knack/config.yaml", "repo/.knack/config.yaml", "home/.knack/trust.json"];
    for (const file of files) utimesSync(folder.at(file), OLD, OLD);
    // A file that changed a moment ago is read again, because its next change could have the same time stamp.
    await delay(100);
    expect(opened(folder, args, files)).toEqual(Object.fromEntries(files.map((file) => [file, 1])));
  });
});
