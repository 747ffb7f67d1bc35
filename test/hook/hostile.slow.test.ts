import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment, HOME, PROGRAM } from "../cli/run.ts";

const ASKED = "write the release notes for the new version";

describe("a hook that is called in a hostile way (docs/hooks.md)", () => {
  const folder = makeFolder({
    "repo/.git/": "",
    [`${HOME}/release-notes/SKILL.md`]: skillText("release-notes", "Writes release notes for a version."),
  });

  afterAll(() => folder[Symbol.dispose]());

  /** What it says; always with 0 and without a word on standard error. The time is its own limit and a busy machine's. */
  function hook(
    event: string,
    given: object | string,
    env: object = {},
    stdout: "pipe" | number = "pipe",
  ): string {
    const called = { session_id: "s", cwd: folder.at("repo"), ...(typeof given === "string" ? {} : given) };
    const outcome = spawnSync(process.execPath, [PROGRAM, "hook", event, "--client", "claude"], {
      env: { ...environment(folder), KNACK_HOOK_LIMIT_MS: "60000", ...env },
      cwd: folder.at("repo"),
      input: typeof given === "string" ? given : JSON.stringify(called),
      encoding: "utf8",
      stdio: ["pipe", stdout, "pipe"],
      timeout: 100_000,
    });
    expect(outcome, JSON.stringify(given).slice(0, 200)).toMatchObject({ status: 0, stderr: "" });
    return outcome.stdout ?? "";
  }

  it("keeps a conversation with any id in a file of its own", () => {
    for (const id of [
      "../../../etc/passwd",
      "x".repeat(100_000),
      "a\0b\u001b[31m\n",
      "\ud800",
      "__proto__",
    ]) {
      expect(hook("prompt", { session_id: id, prompt: ASKED })).toContain("release-notes");
      expect(hook("prompt", { session_id: id, prompt: ASKED })).toBe("");
    }
    const names = readdirSync(folder.at("home/.knack/conversations"));
    expect(names.filter((name) => !/^[0-9a-f]{32}\.jsonl$/.test(name))).toEqual([]);
  });

  it("ends where nothing can be made in the folders that it is given, or they are not there", () => {
    for (const nowhere of ["/proc", "/dev/null", folder.at(HOME, "release-notes/SKILL.md")])
      for (const name of ["KNACK_HOME", "XDG_CACHE_HOME", "HOME"]) {
        hook("prompt", { prompt: ASKED }, { [name]: nowhere });
        hook("tool", { tool_name: "Bash", tool_input: { command: "ls" } }, { [name]: nowhere });
      }
  });

  it("ends in its own time where the input never does", async () => {
    const env = { ...environment(folder), KNACK_HOOK_LIMIT_MS: "1" };
    const child = spawn(process.execPath, [PROGRAM, "hook", "prompt", "--client", "claude"], { env });
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("says nothing to what is no call", () => {
    for (const given of [
      "[".repeat(100_000),
      '{"a":'.repeat(100_000),
      "\0".repeat(1000),
      `"${"x".repeat(10_000_000)}"`,
    ])
      expect(hook("prompt", given)).toBe("");
    for (const cwd of ["/nonexistent", "/a\0b", `/${"a".repeat(100_000)}`])
      expect(hook("prompt", { prompt: ASKED, cwd })).toBe("");
    expect(hook("tool", { tool_name: "Bash", tool_input: { command: "$(".repeat(20_000) } })).toBe("");
  });
});
