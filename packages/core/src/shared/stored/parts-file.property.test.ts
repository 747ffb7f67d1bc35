import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../testing/index.ts";
import { cases } from "../testing/cases.ts";
import { openParts, saveParts } from "./parts-file.ts";

const MAGIC = "KNACKTP1";
const part = fc.uint8Array({ maxLength: 9_000, size: "max" });

/** All parts, `null` if the file is refused at once, "damaged" if that is found when a part is read. */
function readAll(file: string): Buffer[] | null | "damaged" {
  const opened = openParts(file, MAGIC);
  const parts = opened?.parts.map((one) => Buffer.from(one.read(0, one.length))) ?? null;
  return opened?.isDamaged() ? "damaged" : parts;
}

describe("a file of parts", () => {
  it("has what was written, as a whole and in any piece", () => {
    using folder = makeFolder();
    const file = folder.at("a/b.idx");
    const holds = fc.property(fc.array(part, { maxLength: 5 }), fc.nat(), fc.nat(), (parts, a, b) => {
      const inPieces = parts.map((one) => [one.subarray(0, a % 100), one.subarray(a % 100)]);
      expect(saveParts(file, MAGIC, inPieces)).toBeUndefined();
      const whole = readFileSync(file);
      expect(saveParts(file, MAGIC, parts)).toBeUndefined();
      expect(readFileSync(file).equals(whole)).toBe(true);
      expect(readAll(file)).toEqual(parts.map((one) => Buffer.from(one)));
      const opened = openParts(file, MAGIC)?.parts ?? [];
      parts.forEach((one, i) => {
        const from = a % (one.length + 1);
        const length = b % (one.length - from + 1);
        expect(Buffer.from(opened[i]?.read(from, length) ?? [])).toEqual(
          Buffer.from(one.subarray(from, from + length)),
        );
      });
    });
    fc.assert(holds, { numRuns: cases(100) });
  });

  it("never gives other bytes where some are changed, lost or added", () => {
    using folder = makeFolder();
    const file = folder.at("b.idx");
    const parts = [3, 5_000, 0, 9_000].map((length, i) => Buffer.alloc(length, `part ${i}, some text. `));
    saveParts(file, MAGIC, parts);
    const whole = readFileSync(file);
    const changed = fc.oneof(
      fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, bits]) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ bits;
        return bytes;
      }),
      fc.nat(whole.length - 1).map((length) => whole.subarray(0, length)),
      fc.uint8Array({ minLength: 1 }).map((more) => Buffer.concat([whole, more])),
      fc.uint8Array().map((bytes) => Buffer.concat([Buffer.from(MAGIC), bytes])),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    );
    const holds = fc.property(changed, (bytes) => {
      writeFileSync(file, bytes);
      expect([null, "damaged"]).toContain(readAll(file));
    });
    fc.assert(holds, { numRuns: cases(500) });
  });

  it("is refused where it is of another kind, a folder or missing", () => {
    using folder = makeFolder();
    const file = folder.at("c.idx");
    saveParts(file, MAGIC, [Buffer.from("text")]);
    expect(openParts(file, "KNACKTP2")).toBeNull();
    expect(openParts(folder.path, MAGIC)).toBeNull();
    expect(openParts(folder.at("missing"), MAGIC)).toBeNull();
  });
});
