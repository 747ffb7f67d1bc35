import { chmodSync, realpathSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it, vi } from "vitest";
import { hiddenFolders, probeBubblewrap } from "./bubblewrap.ts";
import { confinementHere, probeConfinement } from "./confinement.ts";
import { isolationLevel } from "./limits.ts";

/** Why a program that does this is not used. */
async function reasonOf(probe: typeof probeBubblewrap | typeof probeConfinement, script: string) {
  using folder = makeFolder({ program: `#!/bin/sh\n${script}\n` });
  chmodSync(folder.at("program"), 0o755);
  const found = await probe(folder.at("program"));
  return found.works ? "" : found.reason;
}

describe.skipIf(process.platform !== "linux")("looking for Landlock", () => {
  it("says that Perl is not there or does not run", async () => {
    expect(await probeConfinement(undefined)).toEqual({
      works: false,
      reason: "Landlock needs Perl, which is not installed",
    });
    expect(await probeConfinement("/nowhere/perl")).toMatchObject({
      works: false,
      reason: expect.stringContaining("cannot be used here"),
    });
  });

  it.each([
    ["the kernel has none", "echo -1", "Landlock is not enabled in this kernel"],
    [
      "Node does not start under it",
      'case "$2" in print*) echo 7; exit;; esac; echo "isolation could not be set up" >&2; exit 126',
      "Landlock cannot be used here: isolation could not be set up",
    ],
  ])("does not take it where %s", async (_name, script, reason) => {
    expect(await reasonOf(probeConfinement, script)).toBe(reason);
  });

  it("says what this machine has", async () => {
    const found = await confinementHere();
    if (found.works) expect(found.abi).toBeGreaterThan(0);
    else expect(found.reason).not.toBe("");
  });
});

const ANSWERS =
  'case "$1" in --version) echo bubblewrap 0.8.0; exit;; --help) echo "  --size BYTES"; exit;; esac';

describe.skipIf(process.platform === "win32")("looking for bubblewrap", () => {
  it("says that it is not there", async () => {
    expect(await probeBubblewrap(undefined)).toMatchObject({
      works: false,
      reason: expect.stringContaining("bubblewrap is"),
    });
    expect(await probeBubblewrap("/nowhere/bwrap")).toMatchObject({
      works: false,
      reason: expect.stringContaining("does not run"),
    });
  });

  it.each([
    [
      "cannot make namespaces, as in a container",
      `${ANSWERS}; echo "bwrap: Creating new namespace failed" >&2; exit 1`,
      "bubblewrap cannot create its namespaces here: bwrap: Creating new namespace failed",
    ],
    ["leaves the kernel's settings writable", `${ANSWERS}; exit 3`, "settings would be writable"],
    ["is too old", "echo bubblewrap 0.4.0", "too old"],
  ])("does not take one that %s", async (_name, script, reason) => {
    expect(await reasonOf(probeBubblewrap, script)).toContain(reason);
  });

  it("says what this machine offers", async () => {
    const { level, detail } = await isolationLevel();
    expect(["bubblewrap", "node-permission"]).toContain(level);
    expect(detail).toMatch(level === "bubblewrap" ? /^bubblewrap [\d.]+ \(\// : /permission model/);
  });
});

describe("the folders that a skill does not get to see", () => {
  it("are Knack's own, wherever in the project they are", () => {
    using folder = makeFolder({ ".knack/a": "", "..home/.knack/a": "", "state/a": "", "src/a": "" });
    const root = realpathSync(folder.path);
    const hidden = (env: Record<string, string>): string[] => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      try {
        return hiddenFolders(root).map((path) => path.slice(root.length + 1));
      } finally {
        vi.unstubAllEnvs();
      }
    };
    expect(hidden({ HOME: "/nonexistent" })).toEqual([".knack"]);
    // A name may begin with two dots without being a parent folder.
    expect(hidden({ HOME: `${root}/..home` })).toEqual([".knack", "..home/.knack"]);
    expect(hidden({ KNACK_HOME: `${root}/state` })).toEqual([".knack", "state"]);
    // Hiding the project itself would leave nothing to run.
    expect(hidden({ KNACK_HOME: root })).toEqual([".knack"]);
  });
});
