import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LiveConfig } from "../catalog/settings.ts";
import { type Folder, makeFolder } from "../testing/files.ts";
import { policyNow } from "./permissions.ts";

const USER = "home/.knack/config.yaml";
const PROJECT = "repo/.knack/config.yaml";
const DENY_X = "permissions: { deny: [{ tool: skill_load, skill_name: x }] }\n";
const DENY_Y = "permissions: { deny: [{ tool: skill_load, skill_name: y }] }\n";
const NONE = {
  permissions: { allow: [], deny: [], default: null },
  disabled: [],
  locked: { repo: false, user: false },
};

/** Reads the files again only when they have changed. */
const openConfig = (folder: Folder, trusted = true): LiveConfig =>
  new LiveConfig(() => ({ projectRoot: folder.at("repo"), home: folder.at("home"), env: {}, trusted }));

/** The skills that are denied now. */
async function denied(config: LiveConfig): Promise<(string | undefined)[]> {
  const current = await policyNow(config);
  if ("problem" in current) throw new Error(current.problem);
  return current.permissions.deny.map(({ skill_name: skill }) => skill);
}

describe("the policy of an open session", () => {
  it("is the default where no file is, and sees one that comes and goes", async () => {
    using folder = makeFolder({ "home/": "", "repo/": "" });
    const config = openConfig(folder);
    expect(await policyNow(config)).toEqual(NONE);
    folder.write({ [USER]: DENY_X, [PROJECT]: DENY_Y });
    expect(await denied(config)).toEqual(["x", "y"]);
    rmSync(folder.at(USER));
    expect(await denied(config)).toEqual(["y"]);
  });

  it("sees a change that leaves size and time as they were, however soon it comes", async () => {
    using folder = makeFolder({ [USER]: DENY_X });
    const config = openConfig(folder);
    for (let i = 0; i < 50; i++) {
      writeFileSync(folder.at(USER), i % 2 === 0 ? DENY_Y : DENY_X);
      expect(await denied(config)).toEqual([i % 2 === 0 ? "y" : "x"]);
    }
    const old = new Date(Date.now() - 60_000);
    utimesSync(folder.at(USER), old, old);
    expect(await denied(config)).toEqual(["x"]);
    folder.write({ new: DENY_Y });
    utimesSync(folder.at("new"), old, old);
    renameSync(folder.at("new"), folder.at(USER));
    expect(await denied(config)).toEqual(["y"]);
  });

  it("reads the files again only when they have changed", async () => {
    using folder = makeFolder({ [USER]: DENY_X });
    const config = openConfig(folder);
    await config.current();
    await new Promise((wake) => setTimeout(wake, 120));
    const first = await config.current();
    expect(await config.current()).toBe(first);
    folder.write({ [PROJECT]: DENY_Y });
    expect(await config.current()).not.toBe(first);
  });
});

describe("a configuration that cannot be understood", () => {
  it.each([
    [USER, true],
    [USER, false],
    [PROJECT, true],
    [PROJECT, false],
  ])("in %s (trusted: %s) is a problem with file and line until it is mended", async (file, trusted) => {
    using folder = makeFolder({ [file]: DENY_X });
    const config = openConfig(folder, trusted);
    expect(await denied(config)).toEqual(["x"]);
    for (const wrong of [
      "permissions:\n  deny: [{ tool: skil_load }]\n",
      "permissions:\n  deny: [{ tool: x\n",
      "a: 1\npermisions: {}\n",
    ]) {
      folder.write({ [file]: wrong });
      const problem = expect.stringMatching(/config\.yaml:\d+: /);
      expect(await policyNow(config)).toEqual({ problem });
      expect(await policyNow(config)).toEqual({ problem: expect.stringContaining(folder.at(file)) });
    }
    folder.write({ [file]: DENY_Y });
    expect(await denied(config)).toEqual(["y"]);
  });

  it("of an untrusted project is none where its rules are clear of it: it is ignored, as by every command", async () => {
    using folder = makeFolder({ [PROJECT]: "skills: { validation: stict }\n", [USER]: DENY_X });
    expect(await denied(openConfig(folder, false))).toEqual(["x"]);
    expect(await policyNow(openConfig(folder))).toEqual({ problem: expect.stringContaining("stict") });
  });
});

describe("an untrusted project", () => {
  it.each([
    [false, true, false, { repo: true, user: false }],
    [false, true, true, { repo: true, user: true }],
    [true, false, false, { repo: true, user: true }],
    [true, false, true, { repo: true, user: true }],
    [false, false, true, { repo: false, user: false }],
  ])(
    "switches skills.locked on for its own skills, and never off (user: %s, project: %s, trusted: %s)",
    async (user, project, trusted, locked) => {
      using folder = makeFolder({
        [USER]: `skills: { locked: ${user} }\n`,
        [PROJECT]: `skills: { locked: ${project} }\n`,
      });
      expect(await policyNow(openConfig(folder, trusted))).toMatchObject({ locked });
    },
  );
});
