import { chmodSync, realpathSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it, vi } from "vitest";
import { hiddenFolders, probeBubblewrap } from "./bubblewrap.ts";
import { confinementHere, probeConfinement } from "./confinement.ts";
import { isolationLevel } from "./limits.ts";

/** A program that answers version questions like Perl, then fails to confine anything. */
async function probe(script: string) {
  using folder = makeFolder({ perl: `#!/bin/sh\n${script}\n` });
  chmodSync(folder.at("perl"), 0o755);
  return await probeConfinement(folder.at("perl"));
}

describe.skipIf(process.platform !== "linux")("looking for Landlock", () => {
  it("says what is missing", async () => {
    expect(await probeConfinement(undefined)).toEqual({
      works: false,
      reason: "Landlock needs Perl, which is not installed",
    });
    expect(await probeConfinement("/nowhere/perl")).toMatchObject({
      works: false,
      reason: expect.stringContaining("cannot be used here"),
    });
    expect(await probe("echo -1")).toEqual({
      works: false,
      reason: "Landlock is not enabled in this kernel",
    });
  });

  it("does not take one under which Node does not start", async () => {
    const script =
      'case "$2" in print*) echo 7; exit;; esac; echo "isolation could not be set up" >&2; exit 126';
    expect(await probe(script)).toEqual({
      works: false,
      reason: "Landlock cannot be used here: isolation could not be set up",
    });
  });

  it("says what this machine has", async () => {
    const found = await confinementHere();
    if (found.works) expect(found.abi).toBeGreaterThan(0);
    else expect(found.reason).not.toBe("");
  });
});

/** A program that answers version and help like bubblewrap, then fails to create a sandbox. */
async function probeScript(script: string) {
  using folder = makeFolder({ bwrap: `#!/bin/sh\n${script}\n` });
  chmodSync(folder.at("bwrap"), 0o755);
  return await probeBubblewrap(folder.at("bwrap"));
}

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

  it("says why it cannot make namespaces, as in a container", async () => {
    expect(
      await probeScript(
        `${ANSWERS}; echo "bwrap: Creating new namespace failed: Operation not permitted" >&2; exit 1`,
      ),
    ).toEqual({
      works: false,
      reason:
        "bubblewrap cannot create its namespaces here: bwrap: Creating new namespace failed: Operation not permitted",
    });
  });

  it("refuses a bubblewrap that leaves the kernel's settings writable, or is too old", async () => {
    expect(await probeScript(`${ANSWERS}; exit 3`)).toMatchObject({
      works: false,
      reason: expect.stringContaining("settings would be writable"),
    });
    expect(await probeScript("echo bubblewrap 0.4.0")).toMatchObject({
      works: false,
      reason: expect.stringContaining("too old"),
    });
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
