import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { REPO } from "../cli/run.ts";
import { Server } from "../http/server.ts";
import { addToken } from "./add-token.ts";

const PROGRAM = join(import.meta.dirname, "../../node_modules/.bin/conformance");

/** The protocol's own scenarios that need no special test tools, each with its revisions. */
const SCENARIOS: readonly (readonly [scenario: string, revisions: readonly string[]])[] = [
  ["server-initialize", ["2025-06-18", "2025-11-25"]],
  ["server-session-lifecycle", ["2025-06-18", "2025-11-25"]],
  ["ping", ["2025-06-18", "2025-11-25"]],
  ["tools-list", ["2025-06-18", "2025-11-25", "2026-07-28"]],
  ["resources-list", ["2025-06-18", "2025-11-25", "2026-07-28"]],
  ["prompts-list", ["2025-06-18", "2025-11-25", "2026-07-28"]],
  ["completion-complete", ["2025-06-18", "2025-11-25", "2026-07-28"]],
  ["server-sse-multiple-streams", ["2025-11-25", "2026-07-28"]],
  ["dns-rebinding-protection", ["2025-11-25", "2026-07-28"]],
  ["server-stateless", ["2026-07-28"]],
  ["sep-2164-resource-not-found", ["2026-07-28"]],
  ["caching", ["2026-07-28"]],
  ["http-header-validation", ["2026-07-28"]],
  ["sep-2640-skills-enumeration", []],
  ["sep-2640-skills-manifest", []],
  ["sep-2640-skills-directory", []],
];

/** Checks of `server-stateless` that call a tool which only a test server has. */
const NEED_TEST_TOOLS = [
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-missing-capability-http-400",
  "sep-2575-server-no-log-without-loglevel",
  "sep-2575-server-rejects-undeclared-capability",
];

function run(url: string, scenario: string, revision: string | undefined): Promise<string> {
  const args = ["server", "--url", `${url}/mcp`, "--scenario", scenario];
  return new Promise((done) => {
    execFile(
      PROGRAM,
      [...args, ...(revision === undefined ? [] : ["--spec-version", revision])],
      { env: { ...process.env, NO_COLOR: "1" }, timeout: 55_000 },
      (_error, stdout, stderr) => done(`${stdout}${stderr}`.replaceAll(/\u001b\[\d+m/g, "")),
    );
  });
}

const folder = makeFolder({
  "repo/.git/": "",
  [`${REPO}/review/SKILL.md`]: skillText("review"),
  [`${REPO}/review/references/deep/list.md`]: "- one\n",
  // The scenario for completion asks for a prompt of this name.
  "repo/skills/test_prompt_with_arguments/SKILL.md": "# Its name is its folder's\n",
});
const proxy = await addToken(await Server.forFile(folder));
afterAll(() => proxy[Symbol.asyncDispose]());

describe("the published conformance scenarios against knack serve", () => {
  const cases = SCENARIOS.flatMap(([scenario, revisions]) =>
    (revisions.length === 0 ? [undefined] : revisions).map((revision) => [scenario, revision] as const),
  );

  it.concurrent.each(cases)("%s, revision %s", async (scenario, revision) => {
    const output = await run(proxy.url, scenario, revision);
    const failed = [...output.matchAll(/\[([\w-]+)\s*\] FAILURE/g)].map(([, id]) => id).sort();
    expect(failed, output).toEqual(scenario === "server-stateless" ? NEED_TEST_TOOLS : []);
    expect(Number(/Passed: (\d+)\//.exec(output)?.[1]), output).toBeGreaterThan(0);
  });
});
