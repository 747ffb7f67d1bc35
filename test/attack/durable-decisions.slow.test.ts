import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment, PROGRAM, REPO } from "../cli/run.ts";

const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;

/** The system calls that replace a file, in order: what was synced before the rename and after it. */
function callsAround(file: string, trace: string): string[] {
  const names = trace.split("\n").flatMap((line) => {
    if (/\bfsync\(.*= 0$/.test(line)) return ["fsync"];
    return new RegExp(`\\brename\\(.*${file}"\\) += 0$`).test(line) ? ["rename"] : [];
  });
  const place = names.indexOf("rename");
  return names.slice(Math.max(0, place - 1), place + 2);
}

describe.skipIf(!canTrace)("quality: what a user decides survives a power cut", () => {
  it.each([
    [["deny", "good"], "config.yaml"],
    [["allow", "good"], "config.yaml"],
    [["disable", "good"], "config.yaml"],
    [["trust", "--yes"], "trust.json"],
    [["lock"], "skills.lock"],
  ])("knack %j syncs %s before and its folder after it gets its name", (args, file) => {
    using folder = makeFolder({ [`${REPO}/good/SKILL.md`]: skillText("good"), "repo/.git/HEAD": "" });
    const program = [process.execPath, PROGRAM, ...args];
    const { status, stderr } = spawnSync(
      "strace",
      ["-f", "-e", "trace=fsync,rename", "-o", folder.at("trace"), ...program],
      { cwd: folder.at("repo"), env: environment(folder), encoding: "utf8" },
    );
    expect(status, stderr).toBe(0);
    expect(callsAround(file, readFileSync(folder.at("trace"), "utf8"))).toEqual(["fsync", "rename", "fsync"]);
  });
});
