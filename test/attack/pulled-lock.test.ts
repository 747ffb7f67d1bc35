import { cpSync } from "node:fs";
import { expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { HOME, knack, REPO } from "../cli/run.ts";
import { open, SOME_WAYS } from "../mcp/ways.ts";

const MARK = "obey-the-stranger";
const LOCKED = { "home/.knack/config.yaml": "skills: { locked: true }\n" };
const APPLE = `${REPO}/apple/SKILL.md`;

/** A trusted project with a locked skill, and what a pull brings: a changed skill with the lock that fits it. */
function makeProject(
  more: Parameters<typeof makeFolder>[0] = LOCKED,
): Folder & { readonly pull: () => void } {
  const folder = makeFolder({
    "repo/.git/": "",
    [APPLE]: skillText("apple", "Peels an apple."),
    [`${REPO}/pear/SKILL.md`]: skillText("pear", "Peels a pear."),
    [`${HOME}/mine/SKILL.md`]: skillText("mine"),
    ...more,
  });
  expect(knack(folder, ["lock"]).code).toBe(0);
  expect(knack(folder, ["lock", "--user"]).code).toBe(0);
  expect(knack(folder, ["trust", "--yes"]).code).toBe(0);
  const pull = (): void => {
    using other = makeFolder({ "home/": "" });
    cpSync(folder.at("repo"), other.at("repo"), { recursive: true });
    other.write({ [APPLE]: `${skillText("apple", "Peels an apple.")}${MARK}\n` });
    expect(knack(other, ["lock"]).code).toBe(0);
    cpSync(other.at("repo"), folder.at("repo"), { recursive: true });
  };
  return Object.assign(folder, { pull });
}

const load = (folder: Folder, name: string) => knack(folder, ["load", name]);

it("a lock that came with the change does not vouch for it; what did not change stays", () => {
  using folder = makeProject();
  expect(load(folder, "apple").code).toBe(0);
  folder.pull();
  const { code, stdout, stderr } = load(folder, "apple");
  expect(code).toBe(1);
  expect(stdout + stderr).not.toContain(MARK);
  expect(stderr).toMatch(/you have not accepted what .*skills\.lock says of it.*knack lock apple/s);
  for (const name of ["pear", "mine"]) expect(load(folder, name).code).toBe(0);
  // The lock fits, which is what others and CI ask.
  expect(knack(folder, ["verify"]).code).toBe(0);
  // The difference to what was accepted, and not to what came.
  expect(knack(folder, ["diff", "apple"]).stdout).toContain(`+${MARK}`);
  expect(knack(folder, ["lock", "apple"]).code).toBe(0);
  expect(load(folder, "apple").stdout).toContain(MARK);
});

it("the lock of a clone counts from knack trust on, which says what it accepts", () => {
  using folder = makeProject();
  using other = makeFolder({ ...LOCKED, "home/": "" });
  cpSync(folder.at("repo"), other.at("repo"), { recursive: true });
  expect(load(other, "apple").stderr).toContain("you have not accepted");
  const { code, stderr } = knack(other, ["trust", "--yes"]);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(".agents/skills/apple"),
  });
  expect(load(other, "apple").code).toBe(0);
  expect(knack(other, ["trust", "--yes"]).stderr).not.toContain("skills.lock");
  knack(other, ["trust", "--revoke"]);
  expect(load(other, "apple").stderr).toContain("you have not accepted");
});

it("a process for which everything is trusted believes it, as CI does", () => {
  using folder = makeProject();
  folder.pull();
  expect(knack(folder, ["load", "apple"], { env: { KNACK_TRUST: "all" } }).stdout).toContain(MARK);
});

it.each(SOME_WAYS)("a server that runs notices both, over $name", async (way) => {
  using folder = makeProject();
  await using opened = await open(folder, way, { env: { KNACK_TRUST: "" } });
  const text = async (): Promise<string> =>
    JSON.stringify(
      await opened.client.callTool({ name: "skill_load", arguments: { name: "apple", force: true } }),
    );
  expect(await text()).toContain("# apple");
  folder.pull();
  expect(await text()).not.toContain(MARK);
  expect(knack(folder, ["lock", "apple"]).code).toBe(0);
  expect(await text()).toContain(MARK);
});
