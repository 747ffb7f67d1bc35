import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../testing/index.ts";
import { type Folder, loadIndex, type ScannedFile, saveIndex, type Tree } from "./tree.ts";

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
        const top: Folder = {
          path: "/top",
          parent: null,
          identity: [1, 2, 3, 4 / 3, 5 / 3],
          skill: null,
          skillIdentity: null,
          links: ["linked"],
          faults: [{ fault: "UNREADABLE", message: "It cannot be read." }],
        };
        const folders = found.map((one, i): Folder => {
          const path = `/top/${i % 2 === 0 ? "技能" : "skill"}-${i}`;
          const more = { id: `id-${i}`, path: `${path}/SKILL.md`, mtimeMs: i / 7, faults: [] };
          const skill: ScannedFile | null = one && { ...one, ...more, dialect: "agentskills" };
          return { ...top, path, parent: top, skill, skillIdentity: one && [i, 1, 2, 3, i / 7] };
        });
        const tree: Tree = { seenAt, folders: [top, ...folders] };
        expect(saveIndex(file, tree)).toBeUndefined();
        expect(loadIndex(file, "/top")).toEqual(tree);
        expect(loadIndex(file, "/another")).toBeNull();
      }),
    );
  });
});
