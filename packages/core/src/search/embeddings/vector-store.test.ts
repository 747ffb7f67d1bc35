import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../testing/files.ts";
import { cosine, quantize } from "./quantize.ts";
import { inputKey } from "./skill-input.ts";
import { VectorStore } from "./vector-store.ts";

const key = (text: string): string => inputKey("model", text);
const vector = (...numbers: number[]): Float32Array => Float32Array.from(numbers);

describe("stored vectors", () => {
  it("are those that were saved, and what another process saved meanwhile", () => {
    using folder = makeFolder();
    const file = folder.at("cache/embeddings/x.idx");
    const one = new VectorStore(file);
    const other = new VectorStore(file);
    one.add(key("a"), vector(1, 0));
    other.add(key("b"), vector(0, 1));
    one.save([]);
    other.save([]);
    const later = new VectorStore(file);
    expect(later.dimension).toBe(2);
    expect([later.get(key("a")), later.get(key("b"))]).toEqual([
      Int8Array.from([127, 0]),
      Int8Array.from([0, 127]),
    ]);
    expect(readdirSync(folder.at("cache/embeddings"))).toEqual(["x.idx"]);
  });

  it("are bounded: those in use stay, then the newest", () => {
    using folder = makeFolder();
    const file = folder.at("x.idx");
    const store = new VectorStore(file, 3 * (2 + 32));
    for (const text of ["a", "b", "c", "d", "e"]) store.add(key(text), vector(1, 2));
    store.save([key("a")]);
    const later = new VectorStore(file);
    expect(["a", "b", "c", "d", "e"].filter((text) => later.has(key(text)))).toEqual(["a", "d", "e"]);
  });

  it("of another dimension are replaced", () => {
    using folder = makeFolder();
    const file = folder.at("x.idx");
    const store = new VectorStore(file);
    store.add(key("a"), vector(1, 2));
    store.save([]);
    store.clear();
    store.add(key("b"), vector(1, 2, 3));
    store.save([]);
    const later = new VectorStore(file);
    expect([later.dimension, later.has(key("a")), later.has(key("b"))]).toEqual([3, false, true]);
  });

  it("count as absent if the file is damaged in any place", () => {
    using folder = makeFolder();
    const file = folder.at("x.idx");
    const store = new VectorStore(file);
    store.add(key("a"), vector(1, 2));
    store.save([]);
    const bytes = readFileSync(file);
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        (at, change, cut) => {
          const damaged = Buffer.from(bytes);
          damaged[at] = (damaged[at] ?? 0) ^ change;
          writeFileSync(file, cut ? damaged.subarray(0, at) : damaged);
          expect(new VectorStore(file).has(key("a"))).toBe(false);
        },
      ),
    );
  });

  it("work without a file, and where none can be written", () => {
    using folder = makeFolder({ blocked: "a file" });
    for (const file of [null, folder.at("blocked/x.idx")]) {
      const store = new VectorStore(file);
      store.add(key("a"), vector(1, 2));
      store.save([]);
      expect(store.has(key("a"))).toBe(true);
    }
  });

  it("keep their angles", () => {
    const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 });
    fc.assert(
      fc.property(numbers, (values) => {
        const length = Math.hypot(...values);
        fc.pre(length > 0.01);
        const unit = Float32Array.from(values, (value) => value / length);
        expect(cosine(quantize(unit), unit)).toBeGreaterThan(0.999);
      }),
    );
  });
});
