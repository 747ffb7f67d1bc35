import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { knack, REPO } from "../cli/run.ts";
import { open, SOME_WAYS } from "../mcp/ways.ts";

const CONFIG = "repo/.knack/config.yaml";

function trustedProject(config: string): Folder {
  const folder = makeFolder({
    "repo/.git/": "",
    [`${REPO}/apple/SKILL.md`]: skillText("apple", "Peels an apple."),
    [CONFIG]: config,
  });
  expect(knack(folder, ["trust", "--yes"]).code).toBe(0);
  return folder;
}

const dispatch = (folder: Folder) =>
  knack(folder, ["dispatch", "--role", "fixer", "--skill", "apple", "--json"]);
const runner = (word: string): string =>
  `runners: { default: mine, mine: { command: [/bin/echo, ${word}] } }\n`;

describe("promise 17: what widens applies in the version that the user accepted", () => {
  it("a runner that came with a pull does not run until the user has seen the change", () => {
    using folder = trustedProject(runner("first"));
    expect(dispatch(folder)).toMatchObject({ code: 0, stderr: expect.stringContaining("first") });
    folder.write({ [CONFIG]: runner("second") });
    const pulled = dispatch(folder);
    expect(pulled.stderr).toMatch(/Ignored until you accept it.*: runners in .*config\.yaml.*knack trust/);
    expect(pulled.stdout + pulled.stderr).not.toMatch(/^second$/m);
    const { stdout, stderr } = knack(folder, ["trust", "--yes"]);
    expect(stdout).toContain("is now trusted");
    expect(stderr).toMatch(/runners: .*"first".* → .*"second"/);
    expect(dispatch(folder)).toMatchObject({ code: 0, stderr: expect.stringContaining("second") });
    expect(knack(folder, ["trust", "--yes", "--json"]).json()).not.toHaveProperty("configuration");
  });

  it("a key that did not change goes on, and what narrows needs no word", () => {
    using folder = trustedProject(runner("first"));
    folder.write({
      [CONFIG]: `${runner("first")}permissions: { default: allow }\nskills: { disabled: [x] }\n`,
    });
    const { stderr, code } = dispatch(folder);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("first") });
    expect(stderr).toMatch(/: permissions\.default in /);
  });

  it("the user's own command in the project's file is the user's word", () => {
    using folder = trustedProject("permissions: { default: confirm }\n");
    expect(knack(folder, ["allow", "apple", "--project"])).toMatchObject({ code: 0, stderr: "" });
    expect(knack(folder, ["list"]).stderr).not.toContain("Ignored");
    expect(knack(folder, ["trust", "--yes"]).stdout).toContain("already trusted");
    // Not that of a rule that came otherwise.
    folder.write({ [CONFIG]: "permissions: { allow: [{ tool: skill_dispatch }] }\n" });
    knack(folder, ["allow", "apple", "--project"]);
    expect(knack(folder, ["list"]).stderr).toContain("permissions.allow");
  });

  it("a password is not kept", () => {
    using folder = trustedProject("store: { url: 'postgres://knack:hunter2@127.0.0.1:1/x' }\n");
    const kept = readFileSync(folder.at("home/.knack/trust.json"), "utf8");
    expect(kept).toContain('"store.url": "sha256:');
    expect(kept).not.toContain("hunter2");
  });

  it("revoking forgets it", () => {
    using folder = trustedProject(runner("first"));
    knack(folder, ["trust", "--revoke"]);
    expect(readFileSync(folder.at("home/.knack/trust.json"), "utf8")).not.toContain("first");
  });

  it.each(SOME_WAYS)("a server that runs does not take it up, over $name", async (way) => {
    using folder = trustedProject("");
    await using opened = await open(folder, way, { env: { KNACK_TRUST: "" } });
    const tools = async () =>
      (await opened.client.listTools(undefined, { cacheMode: "refresh" })).tools.map(({ name }) => name);
    const before = await tools();
    expect(before).toContain("skill_load");
    folder.write({ [CONFIG]: "mcp: { tools: all }\npermissions: { default: allow }\n" });
    expect(await tools()).toEqual(before);
    expect(knack(folder, ["trust", "--yes"]).code).toBe(0);
    await expect.poll(tools).toContain("skill_dispatch");
  });
});
