import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LiveConfig } from "../catalog/settings.ts";
import { type Folder, makeFolder } from "../testing/files.ts";
import { type Policy, policyNow } from "./permissions.ts";

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
function livePolicy(folder: Folder, trusted = true): LivePolicy {
  const place = { projectRoot: folder.at("repo"), home: folder.at("home"), env: {}, trusted };
  const config = new LiveConfig(() => place);
  return { config, current: () => policyNow(config) };
}

interface LivePolicy {
  readonly config: LiveConfig;
  current(): Promise<Policy>;
}

/** The skills that are denied now. */
async function denied(policy: LivePolicy): Promise<(string | undefined)[]> {
  const current = await policy.current();
  if ("problem" in current) throw new Error(current.problem);
  return current.permissions.deny.map(({ skill_name: skill }) => skill);
}

describe("the policy of an open session", () => {
  it("is the default where no file is, and sees one that comes and goes", async () => {
    using folder = makeFolder({ "home/": "", "repo/": "" });
    const policy = livePolicy(folder);
    expect(await policy.current()).toEqual(NONE);
    folder.write({ [USER]: DENY_X, [PROJECT]: DENY_Y });
    expect(await denied(policy)).toEqual(["x", "y"]);
    rmSync(folder.at(USER));
    expect(await denied(policy)).toEqual(["y"]);
  });

  it.each([true, false])(
    "sees a deny at once, in the user's file or the project's, trusted: %s",
    async (trusted) => {
      for (const file of [USER, PROJECT]) {
        using folder = makeFolder({ [USER]: "{}\n", [PROJECT]: "{}\n" });
        const policy = livePolicy(folder, trusted);
        expect(await denied(policy)).toEqual([]);
        folder.write({ [file]: DENY_X });
        expect(await denied(policy)).toEqual(["x"]);
      }
    },
  );

  it("sees a change that leaves size and time as they were, however soon it comes", async () => {
    using folder = makeFolder({ [USER]: DENY_X });
    const policy = livePolicy(folder);
    for (let i = 0; i < 50; i++) {
      writeFileSync(folder.at(USER), i % 2 === 0 ? DENY_Y : DENY_X);
      expect(await denied(policy)).toEqual([i % 2 === 0 ? "y" : "x"]);
    }
    const old = new Date(Date.now() - 60_000);
    utimesSync(folder.at(USER), old, old);
    expect(await denied(policy)).toEqual(["x"]);
    folder.write({ new: DENY_Y });
    utimesSync(folder.at("new"), old, old);
    renameSync(folder.at("new"), folder.at(USER));
    expect(await denied(policy)).toEqual(["y"]);
  });

  it("reads the files again only when they have changed", async () => {
    using folder = makeFolder({ [USER]: DENY_X });
    const { config } = livePolicy(folder);
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
    const policy = livePolicy(folder, trusted);
    expect(await denied(policy)).toEqual(["x"]);
    for (const wrong of [
      "permissions:\n  deny: [{ tool: skil_load }]\n",
      "permissions:\n  deny: [{ tool: x\n",
      "a: 1\npermisions: {}\n",
    ]) {
      folder.write({ [file]: wrong });
      expect(await policy.current()).toEqual({ problem: expect.stringMatching(/config\.yaml:\d+: /) });
      expect(await policy.current()).toEqual({ problem: expect.stringContaining(folder.at(file)) });
    }
    folder.write({ [file]: DENY_Y });
    expect(await denied(policy)).toEqual(["y"]);
  });

  it("of an untrusted project is none where its rules are clear of it: it is ignored, as by every command", async () => {
    using folder = makeFolder({ [PROJECT]: "skills: { validation: stict }\n", [USER]: DENY_X });
    expect(await denied(livePolicy(folder, false))).toEqual(["x"]);
    expect(await livePolicy(folder, true).current()).toEqual({ problem: expect.stringContaining("stict") });
  });
});

describe("an untrusted project", () => {
  it("adds deny rules and switches, and no allow rules", async () => {
    using folder = makeFolder({
      [USER]: "permissions: { default: confirm }\n",
      [PROJECT]:
        "permissions: { allow: [{ tool: skill_load }], deny: [{ tool: skill_load, skill_name: x }], default: allow }\nskills: { disabled: [b] }\n",
    });
    const rules = { deny: [{ tool: "skill_load", skill_name: "x" }] };
    expect(await livePolicy(folder, false).current()).toEqual({
      permissions: { ...rules, allow: [], default: "confirm" },
      disabled: ["b"],
      locked: { repo: false, user: false },
    });
    expect(await livePolicy(folder, true).current()).toEqual({
      permissions: { ...rules, allow: [{ tool: "skill_load" }], default: "allow" },
      disabled: ["b"],
      locked: { repo: false, user: false },
    });
  });

  it("switches skills.locked on for its own skills, and never off", async () => {
    const locked = async (user: string, project: string, trusted: boolean): Promise<unknown> => {
      using folder = makeFolder({ "home/": "", "repo/": "", [USER]: user, [PROJECT]: project });
      const policy = await livePolicy(folder, trusted).current();
      return "problem" in policy ? policy : policy.locked;
    };
    const [on, off] = ["skills: { locked: true }\n", "skills: { locked: false }\n"];
    expect(await locked(off, on, false)).toEqual({ repo: true, user: false });
    expect(await locked(off, on, true)).toEqual({ repo: true, user: true });
    expect(await locked(on, off, false)).toEqual({ repo: true, user: true });
    expect(await locked(on, off, true)).toEqual({ repo: true, user: true });
    expect(await locked(off, off, true)).toEqual({ repo: false, user: false });
  });
});
