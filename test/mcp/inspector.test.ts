import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { PROGRAM, REPO } from "../cli/run.ts";
import { environment } from "./ways.ts";

const INSPECTOR = join(import.meta.dirname, "../../node_modules/.bin/mcp-inspector");

describe("the Inspector's command line", () => {
  it.each([
    [["--method", "tools/list", "--strict"], "skill_search"],
    [["--method", "skills/list", "--verify"], "skill://review/SKILL.md"],
    [["--method", "prompts/list"], "review"],
    [["--method", "resources/list"], "skill://review/SKILL.md"],
    [
      ["--method", "tools/call", "--tool-name", "skill_search", "--tool-arg", "query=review"],
      "Reviews a change.",
    ],
  ])("%j answers %s", (args, expected) => {
    using folder = makeFolder({
      "repo/.git/": "",
      "home/": "",
      [`${REPO}/review/SKILL.md`]: skillText("review", "Reviews a change."),
    });
    const env = Object.entries(environment(folder)).flatMap(([key, value]) => ["-e", `${key}=${value}`]);
    const output = execFileSync(
      INSPECTOR,
      ["--cli", ...env, "--cwd", folder.at("repo"), ...args, "--", process.execPath, PROGRAM, "mcp"],
      { env: { ...process.env, HOME: folder.at("home") }, encoding: "utf8", timeout: 55_000 },
    );
    expect(output).toContain(expected);
  });
});
