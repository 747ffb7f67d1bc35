import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../testing/index.ts";
import { loadIndex, type ScannedFile, saveIndex, type Tree } from "./tree.ts";

const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string(), fc.constantFrom("é", "审查", "✅", ""));
const skill = fc
  .record({ name: text, description: text, license: fc.option(text, { nil: undefined }) })
  .map(({ name, description, license }) => ({
    name,
    description,
    facts: license === undefined ? null : { license },
  }));

describe("a tree in a file", () => {
  it("is the same tree again", () => {
    using folder = makeFolder();
    const file = folder.at("index/tree.idx");
    fc.assert(
      fc.property(fc.array(fc.option(skill), { minLength: 1, maxLength: 12 }), fc.nat(), (found, seenAt) => {
        const paths = found.map((_, i) => `/top/${i % 2 === 0 ? "技能" : "skill"}-${i}`);
        const numbers = Float64Array.from({ length: found.length * 11 }, (_, i) => i / 3);
        const skills = found.map((one, i): ScannedFile | null =>
          one
            ? {
                ...one,
                id: `id-${i}`,
                path: `${paths[i]}/SKILL.md`,
                mtimeMs: i / 7,
                dialect: "agentskills",
                faults: [],
              }
            : null,
        );
        const tree: Tree = {
          seenAt,
          paths,
          numbers,
          skills,
          links: new Map([[0, ["linked"]]]),
          faults: new Map([[0, [{ fault: "UNREADABLE", message: "It cannot be read." }]]]),
        };
        expect(saveIndex(file, tree)).toBeUndefined();
        expect(loadIndex(file, paths[0] ?? "")).toEqual(tree);
        expect(loadIndex(file, "/another")).toBeNull();
      }),
    );
  });
});
