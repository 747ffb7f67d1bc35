import { hash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCatalog } from "../../open-catalog.ts";
import { ByteWriter } from "../../shared/stored/byte-writer.ts";
import type { PartBytes } from "../../shared/stored/parts-file.ts";
import { cases } from "../../shared/testing/cases.ts";
import { makeFolder, skillText } from "../../testing/index.ts";
import { SkillSearch } from "../search.ts";
import { makeIndex, type SkillToIndex } from "./make-index.ts";
import { readEntries, writeEntry } from "./postings.ts";
import { NOTHING_BESIDE } from "./skill-files.ts";
import { openInMemory, partsInMemory } from "./text-index.ts";

const entries = fc.uniqueArray(fc.nat(3_000), { maxLength: 200 }).chain((skills) =>
  fc.record({
    skills: fc.constant(skills.toSorted((a, b) => a - b)),
    counts: fc.array(fc.oneof(fc.constantFrom(128, 256, 384), fc.integer({ min: 1, max: 0xffff })), {
      minLength: skills.length,
      maxLength: skills.length,
    }),
  }),
);

/** Words that overlap, names that others mention. */
const NAMES = ["ship-it", "plan", "refund-desk", "desk", "mail-room"];
const text = fc
  .array(
    fc.constantFrom(...NAMES, "`plan`", "invoice", "customs.", "parcel", "審查", "\n", "# head", "the"),
    {
      maxLength: 40,
    },
  )
  .map((words) => words.join(" "));
const catalog = fc
  .uniqueArray(
    fc.record({ name: fc.constantFrom(...NAMES), version: fc.nat(2), body: text, description: text }),
    {
      selector: ({ name }) => name,
      maxLength: 5,
    },
  )
  .map((list) => list.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
type Skills = typeof catalog extends fc.Arbitrary<infer T> ? T : never;

const toIndex = (skills: Skills): SkillToIndex[] =>
  skills.map(({ name, description, body }) => ({
    name,
    dir: `/skills/${name}`,
    description,
    key: hash("sha1", JSON.stringify([name, description, body]), "hex").slice(0, 32),
    body: () => body,
    beside: () => NOTHING_BESIDE,
  }));
const QUERIES = ["invoice", "customs parcel", "ship-it", "審查 plan", "invioce", "the"];
const answers = (skills: Skills, parts: PartBytes[]): unknown => {
  const found = toIndex(skills).map((skill, i) => ({ ...skill, path: skill.dir, scope: "repo", id: `${i}` }));
  const search = new SkillSearch(found as never, openInMemory(parts), 20);
  return QUERIES.map((query) =>
    search
      .search(query, { limit: 20 })
      .results.map(({ skill, score, matched, fits }) => [skill.name, score, matched, fits]),
  );
};

describe("the parts of an index", () => {
  it("give back the entries of a word", () => {
    fc.assert(
      fc.property(entries, ({ skills, counts }) => {
        const writer = new ByteWriter();
        for (const [i, skill] of skills.entries())
          writeEntry(writer, skill - (skills[i - 1] ?? -1) - 1, counts[i] as number);
        const read = readEntries(writer.written(), skills.length);
        expect([...read.skills]).toEqual(skills);
        expect([...read.counts]).toEqual(counts);
      }),
      { numRuns: cases(300) },
    );
  });

  it("answer after any series of changes as an index that is made anew", () => {
    fc.assert(
      fc.property(fc.array(catalog, { minLength: 2, maxLength: 5 }), (steps) => {
        let parts: PartBytes[] | null = null;
        for (const skills of steps) {
          const earlier = parts && partsInMemory(parts);
          parts = makeIndex(toIndex(skills), new Uint8Array(), earlier);
          expect(answers(skills, parts)).toEqual(
            answers(skills, makeIndex(toIndex(skills), new Uint8Array(), null)),
          );
        }
      }),
      { numRuns: cases(200) },
    );
  });
});

describe("the file of an index", () => {
  it("is made again where any byte is changed or lost, and answers the same", async () => {
    using folder = makeFolder();
    for (let i = 0; i < 60; i++)
      folder.write({
        [`skills/skill-${i}/SKILL.md`]: `${skillText(`skill-${i}`, `Mend the ${i % 3 ? "roof" : "floor"}.`)}\n${Array.from({ length: 300 }, (_, j) => `word${i}x${j}`).join(" ")} invoice\n`,
      });
    const cache = folder.at("cache");
    const catalog = await openCatalog({
      cwd: folder.path,
      home: folder.path,
      env: {},
      cache,
      roots: [{ path: folder.at("skills") }],
    });
    const ask = async (): Promise<unknown> => {
      const again = await catalog.refresh();
      return ["mend roof", "word7x1 word7x2 invoice", "flor"].map((query) =>
        again.search(query, { limit: 20 }),
      );
    };
    const expected = await ask();
    const file = join(cache, "search", readdirSync(join(cache, "search"))[0] ?? "");
    const whole = readFileSync(file);
    expect(whole.length).toBeGreaterThan(100_000);
    const holds = fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.integer({ min: 0, max: 255 }),
      async (at, bits) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ bits;
        writeFileSync(file, bits === 0 ? whole.subarray(0, at) : bytes);
        expect(await ask()).toEqual(expected);
      },
    );
    await fc.assert(holds, { numRuns: cases(100) });
  });
});
