import type { Catalog, Entry, Status } from "@knack/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { widthOf } from "../terminal/text-width.ts";
import { frameOf } from "./draw.ts";
import { Picker, type Size } from "./picker.ts";

const RUNS = cases(300);

/** Untrusted text: anything, often with terminal control sequences. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "\u001b[2J",
        "\u001b]0;title\u0007",
        "\u009b31m",
        "\r\n",
        "\t",
        "\u0000",
        "\u202e",
        "审查",
        "𠮷",
        "é",
        "e\u0301\u0323",
        "👩‍👩‍👧‍👦",
        "🇯🇵",
        "👍🏽",
        "שלום",
        "مرحبا",
        "\ud800",
        "\ufeff",
        "ﷺ",
        "ｶﾞ",
        "plain words ",
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join("")),
);

const entry: fc.Arbitrary<Entry> = fc
  .record({
    name: text,
    description: text,
    reason: text,
    status: fc.constantFrom<Status>("active", "disabled", "ineligible", "shadowed"),
    scope: fc.constantFrom("repo", "user", "bundled"),
    dir: text,
  })
  .map(({ name, description, reason, status, scope, dir }, number = 0) => {
    const skill = { name, description, scope, dir: `/${dir}`, path: `/${dir}/${number}`, id: "", mtimeMs: 0 };
    return { skill: { ...skill, dialect: "agentskills" }, status, reason, root: {} } as unknown as Entry;
  });

/** The lines that the terminal gets. */
async function frame(
  entries: readonly Entry[],
  query: string,
  size: Size,
  isReading: boolean,
): Promise<readonly string[]> {
  const catalog = { entries, skills: entries, errors: [], cwd: "/", config: { skills: { enabled: true } } };
  const picker = new Picker({ query, scope: undefined, size }, () => undefined);
  picker.showsAll = true;
  await picker.start({
    catalog: catalog as unknown as Catalog,
    search: async () => ({
      rows: entries.map(({ skill }) => ({ path: skill.path, fits: true })),
      truncated: true,
    }),
    preview: async ({ skill }) => ({ facts: [["about", skill.description]], isServed: true, text: [] }),
    switchSkill: async () => ({ ok: true, message: "" }),
  });
  if (isReading) await picker.press({ kind: "preview" });
  else picker.tell(entries[0]?.reason ?? "");
  const { lines } = frameOf(picker, (_style, part) => part);
  picker.leave(0);
  expect(lines).toHaveLength(Math.max(size.rows, 2));
  return lines;
}

describe("the picker's screen", () => {
  it("no skill makes a line longer than the terminal or sends it a control character", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 12 }),
        text,
        fc.integer({ min: 20, max: 160 }),
        fc.integer({ min: 3, max: 20 }),
        fc.boolean(),
        async (entries, query, columns, rows, isReading) => {
          const drawn = await frame(entries, query, { columns, rows }, isReading);
          for (const line of drawn) {
            expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
            expect(widthOf(line), JSON.stringify(line)).toBeLessThanOrEqual(columns);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});
