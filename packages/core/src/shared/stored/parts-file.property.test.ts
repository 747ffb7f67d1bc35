import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../testing/index.ts";
import { cases } from "../testing/cases.ts";
import { loadWhole, openParts, saveParts } from "./parts-file.ts";

const MAGIC = "KNACKTP1";
const part = fc.uint8Array({ maxLength: 9_000, size: "max" });

/** All parts, `null` if the file is refused at once, "damaged" if that is found when a part is read. */
function readAll(file: string): Buffer[] | null | "damaged" {
  const opened = openParts(file, MAGIC);
  const parts = opened?.parts.map((one) => Buffer.from(one.read(0, one.length))) ?? null;
  return opened?.isDamaged() ? "damaged" : parts;
}

const asText = (content: Buffer): string | null => content.toString("latin1");

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
      const [first] = parts;
      if (first) expect(loadWhole(file, MAGIC, asText)).toBe(asText(Buffer.from(first)));
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
    const place = fc.nat(whole.length - 1);
    const changed = fc.oneof(
      fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([at, bits]) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ bits;
        return bytes;
      }),
      place.map((length) => whole.subarray(0, length)),
      place.map((at) => Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)])),
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

  it("of one part counts as absent where one byte of it is another", () => {
    using folder = makeFolder();
    const file = folder.at("b.idx");
    saveParts(file, MAGIC, [Buffer.from("what was written, with some length")]);
    const whole = readFileSync(file);
    const flip = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }));
    const holds = fc.property(flip, ([at, bits]) => {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= bits;
      writeFileSync(file, bytes);
      expect(loadWhole(file, MAGIC, asText)).toBeNull();
    });
    fc.assert(holds, { numRuns: cases(500) });
  });

  it("is refused where it is of another kind, a folder or missing, or its content cannot be read", () => {
    using folder = makeFolder();
    const file = folder.at("c.idx");
    saveParts(file, MAGIC, [Buffer.from("not JSON")]);
    for (const [path, magic] of [
      [file, "KNACKTP2"],
      [folder.path, MAGIC],
      [folder.at("missing"), MAGIC],
    ] as const) {
      expect(openParts(path, magic)).toBeNull();
      expect(loadWhole(path, magic, asText)).toBeNull();
    }
    expect(loadWhole(file, MAGIC, (content) => JSON.parse(content.toString()))).toBeNull();
    expect(loadWhole(file, MAGIC, asText)).toBe("not JSON");
  });

  it("is written under another name first, and takes with it what nobody has used for long", () => {
    using folder = makeFolder({ "a/old.idx": "", "a/new.idx": "" });
    const old = new Date(Date.now() - 91 * 24 * 60 * 60 * 1000);
    utimesSync(folder.at("a/old.idx"), old, old);
    for (const text of ["one", "two"]) saveParts(folder.at("a/b.idx"), MAGIC, [Buffer.from(text)]);
    expect(readdirSync(folder.at("a")).sort()).toEqual(["b.idx", "new.idx"]);
    expect(loadWhole(folder.at("a/b.idx"), MAGIC, asText)).toBe("two");
  });

  it("that cannot be written says why", () => {
    using folder = makeFolder({ a: "a file, and no folder" });
    expect(saveParts(folder.at("a/b.idx"), MAGIC, [])).toEqual(expect.any(String));
  });
});
