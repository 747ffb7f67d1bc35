import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { table } from "./table.ts";
import { widthOf } from "./text-width.ts";

const COLUMNS = [
  { title: "NAME" },
  { title: "REASON", drop: 3 },
  { title: "SCORE", drop: 2 },
  { title: "MATCHED", drop: 1 },
  { title: "DESCRIPTION", flexible: true },
];
const row = (name: string): string[] => [
  name,
  "token_overlap",
  "12.34",
  "release notes",
  "Drafts notes. ".repeat(9),
];
const titles = (name: string, width: number | undefined): string[] =>
  (table(COLUMNS, [row(name)], width)[0] ?? "").split(/ {2,}/);

describe("a table", () => {
  it("leaves out columns by their number before it cuts a name", () => {
    const name = "writing-release-notes";
    expect(titles(name, 120)).toEqual(["NAME", "REASON", "SCORE", "MATCHED", "DESCRIPTION"]);
    expect(titles(name, 79)).toEqual(["NAME", "REASON", "SCORE", "DESCRIPTION"]);
    expect(titles(name, 60)).toEqual(["NAME", "REASON", "DESCRIPTION"]);
    expect(titles(name, 40)).toEqual(["NAME", "DESCRIPTION"]);
    expect(titles("a-name-of-more-than-thirty-characters", 40)).toEqual(["NAME"]);
    expect(table(COLUMNS, [row(name)], 40)[1]).toMatch(/^writing-release-notes {2}Drafts notes\. Dr…$/);
  });

  it("counts two places for a Chinese character", () => {
    const name = "撰写发布说明变更记录";
    expect(titles(name, 40)).toEqual(["NAME", "DESCRIPTION"]);
    expect(table(COLUMNS, [row(name)], 40)[1]).toMatch(new RegExp(`^${name} {2}Drafts notes. Dra…$`));
    expect(titles(name + name.slice(0, 8), 40)).toEqual(["NAME"]);
  });

  it("cuts and leaves out nothing in a pipe", () => {
    const lines = table(COLUMNS, [row("n".repeat(64))], undefined);
    expect(lines[1]).toContain("release notes  Drafts");
    expect(lines[1]).toMatch(/Drafts notes\.$/);
  });

  it("fits every width, and never cuts a name that fits alone", () => {
    const letter = fc.constantFrom("a", "-", "審", "🙂", "é");
    const names = fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 64 }), { minLength: 1 });
    fc.assert(
      fc.property(names, fc.integer({ min: 5, max: 130 }), (given, width) => {
        const lines = table(COLUMNS, given.map(row), width);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        const widest = Math.max(...given.map(widthOf));
        for (const [i, name] of given.entries())
          if (widest <= width) expect(lines[i + 1]?.startsWith(name)).toBe(true);
      }),
      { numRuns: cases(2_000) },
    );
  });
});
