import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { PROGRAM, REPO } from "../cli/run.ts";
import { Server } from "../http/server.ts";
import { trustedEnvironment } from "./ways.ts";

const INSPECTOR = join(import.meta.dirname, "../../node_modules/.bin/mcp-inspector");

const CALLS = [
  [["--method", "tools/list", "--strict"], "skill_search"],
  [["--method", "skills/list", "--verify"], "skill://review/SKILL.md"],
  [["--method", "prompts/list"], "review"],
  [["--method", "resources/list"], "skill://review/SKILL.md"],
  [
    ["--method", "tools/call", "--tool-name", "skill_search", "--tool-arg", "query=review"],
    "Reviews a change.",
  ],
] as const;

const project = (): Folder =>
  makeFolder({
    "repo/.git/": "",
    "home/": "",
    [`${REPO}/review/SKILL.md`]: skillText("review", "Reviews a change."),
  });

function inspect(folder: Folder, args: readonly string[]): Promise<string> {
  const options = { env: { ...process.env, HOME: folder.at("home") }, timeout: 55_000 };
  return promisify(execFile)(INSPECTOR, ["--cli", ...args], options).then(({ stdout }) => stdout);
}

describe("the Inspector's command line", () => {
  let folder: Folder;
  let server: Server;
  beforeAll(async () => {
    folder = project();
    server = await Server.start(folder);
  });
  afterAll(async () => {
    await server?.end();
    folder?.[Symbol.dispose]();
  });

  it.concurrent.each(CALLS)("over standard input, %j answers %s", async (args, expected) => {
    const env = Object.entries(trustedEnvironment(folder)).flatMap(([key, value]) => [
      "-e",
      `${key}=${value}`,
    ]);
    const program = ["--", process.execPath, PROGRAM, "mcp"];
    const output = await inspect(folder, [...env, "--cwd", folder.at("repo"), ...args, ...program]);
    expect(output).toContain(expected);
  });

  it.concurrent.each(CALLS)("over HTTP, %j answers %s", async (args, expected) => {
    const header = ["--header", `Authorization: ${server.bearer.Authorization}`];
    const output = await inspect(folder, [`${server.url}/mcp`, "--transport", "http", ...header, ...args]);
    expect(output).toContain(expected);
  });
});
