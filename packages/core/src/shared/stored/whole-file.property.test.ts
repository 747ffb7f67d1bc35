import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../testing/index.ts";
import { cases } from "../testing/cases.ts";
import { loadWhole, saveParts } from "./parts-file.ts";

const runs = { numRuns: cases(500) };
const TEXT = { magic: "KNACKTX1", decode: (content: Buffer): string | null => content.toString("latin1") };

const load = (file: string, { magic, decode } = TEXT): string | null => loadWhole(file, magic, decode);
const save = (file: string, ...parts: string[]): string | undefined =>
  saveParts(file, TEXT.magic, [parts.map((part) => Buffer.from(part, "latin1"))]);

describe("a file of one part", () => {
  it("has what was written, in however many parts", () => {
    using folder = makeFolder();
    const file = folder.at("a/b.idx");
    const holds = fc.property(fc.array(fc.string({ unit: "binary-ascii" })), (parts) => {
      expect(save(file, ...parts)).toBeUndefined();
      expect(load(file)).toBe(parts.join(""));
    });
    fc.assert(holds, { numRuns: cases(50) });
  });

  it("counts as absent where one byte of it is another, is lost or is added", () => {
    using folder = makeFolder();
    const file = folder.at("b.idx");
    save(file, "what was written, with some length");
    const whole = readFileSync(file);
    const place = fc.nat(whole.length - 1);
    const flipped = fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([at, bits]) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ bits;
      return bytes;
    });
    const cut = place.map((end) => whole.subarray(0, end));
    const lost = place.map((at) => Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]));
    const added = fc.uint8Array({ minLength: 1, maxLength: 9 }).map((more) => Buffer.concat([whole, more]));
    const foreign = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    const holds = fc.property(fc.oneof(flipped, cut, lost, added, foreign), (bytes) => {
      writeFileSync(file, bytes);
      expect(load(file)).toBeNull();
    });
    fc.assert(holds, runs);
  });

  it("counts as absent where it is of another kind or version, or its content cannot be read", () => {
    using folder = makeFolder();
    const file = folder.at("b.idx");
    save(file, "not JSON");
    expect(load(file, { ...TEXT, magic: "KNACKTX2" })).toBeNull();
    const asJson = (content: Buffer): string => JSON.parse(content.toString());
    expect(load(file, { ...TEXT, decode: asJson })).toBeNull();
    expect(load(file, { ...TEXT, decode: () => null })).toBeNull();
    expect(load(file)).toBe("not JSON");
  });

  it("counts as absent where there is none, or a folder", () => {
    using folder = makeFolder();
    mkdirSync(folder.at("b.idx"));
    expect(load(folder.at("b.idx"))).toBeNull();
    expect(load(folder.at("none/b.idx"))).toBeNull();
  });

  it("is written under another name first, and takes with it what nobody has used for long", () => {
    using folder = makeFolder({ "a/old.idx": "", "a/new.idx": "" });
    const old = new Date(Date.now() - 91 * 24 * 60 * 60 * 1000);
    utimesSync(folder.at("a/old.idx"), old, old);
    const file = folder.at("a/b.idx");
    save(file, "one");
    save(file, "two");
    expect(readdirSync(dirname(file)).sort()).toEqual(["b.idx", "new.idx"]);
    expect(load(file)).toBe("two");
  });

  it("that cannot be written says why", () => {
    using folder = makeFolder({ a: "a file, and no folder" });
    expect(save(folder.at("a/b.idx"), "x")).toEqual(expect.any(String));
  });
});
