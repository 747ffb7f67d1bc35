import { chmodSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { confinementHere, probeConfinement } from "./confinement.ts";

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
