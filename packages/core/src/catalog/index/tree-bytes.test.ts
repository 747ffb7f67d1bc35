import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NUMBERS, type ScannedFile, type Tree } from "./tree.ts";
import { decodeTree, encodeTree, encodeTreeParts } from "./tree-bytes.ts";

const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string(), fc.constantFrom("é", "审查", "✅", ""));
const skill = fc
  .record({ name: text, description: text, license: fc.option(text, { nil: undefined }) })
  .map(({ name, description, license }) => ({
    name,
    description,
    facts: license === undefined ? null : { license },
  }));

describe("a tree as bytes", () => {
  it("is the same tree again, with narrow and wide texts side by side", () => {
    fc.assert(
      fc.property(fc.array(fc.option(skill), { maxLength: 12 }), fc.nat(), (found, seenAt) => {
        const paths = found.map((_, i) => `/top/${i % 2 === 0 ? "技能" : "skill"}-${i}`);
        const numbers = Float64Array.from({ length: found.length * NUMBERS }, (_, i) => i / 3);
        const skills = found.map((one, i): ScannedFile | null =>
          one
            ? {
                ...one,
                id: `id-${i}`,
                path: `${paths[i]}/SKILL.md`,
                mtimeMs: numbers[i * NUMBERS + 8] ?? 0,
                dialect: "agentskills",
                faults: [],
              }
            : null,
        );
        const tree: Tree = { seenAt, paths, numbers, skills, links: new Map(), faults: new Map() };
        expect(decodeTree(encodeTree(tree))).toEqual(tree);
        expect(Buffer.concat(encodeTreeParts(tree))).toEqual(encodeTree(tree));
      }),
    );
  });

  it("takes bytes that were cut for no tree", () => {
    const tree: Tree = {
      seenAt: 1,
      paths: ["/技能"],
      numbers: new Float64Array(NUMBERS),
      skills: [null],
      links: new Map(),
      faults: new Map(),
    };
    const bytes = encodeTree(tree);
    for (let length = 0; length < bytes.length; length++)
      expect(decodeTree(bytes.subarray(0, length))).toBeNull();
  });
});
