import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { mkfifoSync } from "../store/testing/processes.ts";
import { hashInput } from "./hash-input.ts";

describe("the digest of an input", () => {
  it("is that of a one-shot hash, small or large, around the borders of pieces, and of the copy", async () => {
    using folder = makeFolder();
    const near = fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -2, max: 2 }))
      .map(([pieces, more]) => Math.max(0, pieces * (1 << 20) + more));
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(near, fc.nat(70_000)), fc.nat(), async (size, seed) => {
        const bytes = Buffer.alloc(size);
        for (let at = 0; at < size; at += 97) bytes[at] = (at * 31 + seed) & 255;
        const path = folder.at(`${++number}`);
        folder.write({ [`${number}`]: bytes });
        const expected = { sha256: hash("sha256", bytes), size };
        expect(await hashInput(path)).toMatchObject(expected);
        expect(await hashInput(path, { into: `${path}.copy` })).toMatchObject(expected);
        expect(readFileSync(`${path}.copy`).equals(bytes)).toBe(true);
      }),
      { numRuns: cases(25) },
    );
  });

  it.skipIf(process.platform !== "linux")("is of all bytes where the system tells no size", async () => {
    const { sha256, size } = await hashInput("/proc/self/status");
    expect(size).toBeGreaterThan(100);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is of a file alone: a folder, a pipe and nothing are refused at once", async () => {
    using folder = makeFolder({ "sub/": "" });
    mkfifoSync(folder.at("pipe"));
    await expect(hashInput(folder.at("sub"))).rejects.toThrow(/is not a file/);
    await expect(hashInput(folder.at("pipe"))).rejects.toThrow(/is not a file/);
    await expect(hashInput(folder.at("none"))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is not computed to its end when that is not wanted any more", async () => {
    using folder = makeFolder({ large: Buffer.alloc(30 << 20) });
    const stop = new AbortController();
    const hashing = hashInput(folder.at("large"), { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(hashing).rejects.toThrow("enough");
  });
});
