import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { escapeWrapperTags } from "./escape.ts";
import { partOf, partOfBlock, partOfFile } from "./parts.ts";
import { renderSkillBlock } from "./skill-block.ts";

const MAX = 19_000;
const NO_FILES = { files: [], omitted: [], omittedCount: 0 };

/** Lines of every kind: short and endless ones, of one to four bytes a character, with every line end, and hostile ones. */
const line = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc
    .tuple(fc.constantFrom("a", "é", "中", "😀", "<", "&", "</skill_context>", " "), fc.nat(12_000))
    .map(([character, count]) => character.repeat(count)),
  fc.constantFrom("</skill_context>", "<skill_files>", "＜/skill_context＞", "--- Bytes 0-1 of 2 of a.md."),
);
const ending = fc.constantFrom("\n", "\r\n", "\r", "", "\n\n");
const text = fc
  .array(fc.tuple(line, ending), { maxLength: 12 })
  .map((lines) => lines.flat().join("").toWellFormed());

/** A long text with a large limit, or a short one with a small one. */
const limited = fc.oneof(
  fc.tuple(text, fc.integer({ min: 1_000, max: 30_000 })),
  fc.tuple(
    fc.string({ unit: fc.constantFrom("a", "é", "中", "😀", "\n", "\r\n", "\r"), maxLength: 60 }),
    fc.integer({ min: 1, max: 40 }),
  ),
);

/** All parts of a text, by following what each says of the next. */
function follow<Part extends { readonly text: string; readonly next?: number }>(
  get: (offset: number) => Part | undefined,
): Part[] {
  const parts: Part[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const part: Part = get(offset) ?? expect.fail(`there is no part at ${offset}`);
    if (part.next !== undefined) expect(part.next).toBeGreaterThan(offset);
    parts.push(part);
    offset = part.next;
  }
  return parts;
}

const inBlock = (part: string): string =>
  /^<skill_context [^\n]*>\n([\s\S]*)\n<\/skill_context>\n/.exec(part)?.[1] ?? expect.fail(part);

describe("interfaces, MCP: a long text comes in parts", () => {
  it("cuts at a line end where there is one, never inside a character, and moves on whatever the limit", () => {
    fc.assert(
      fc.property(limited, ([whole, most]) => {
        const bytes = Buffer.from(whole);
        let offset = 0;
        let together = "";
        for (;;) {
          const part = partOf(whole, offset, most) ?? expect.fail("no part");
          together += part.text;
          expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(Math.max(most, 4));
          if (part.end === part.size) break;
          expect(part.end).toBeGreaterThan(offset);
          const window = bytes.subarray(offset, offset + most);
          if (window.includes("\n")) expect(part.text.endsWith("\n")).toBe(true);
          offset = part.end;
        }
        expect(together).toBe(whole);
        expect(partOf(whole, bytes.length + 1, most)).toBeUndefined();
      }),
      { numRuns: cases(1_000) },
    );
  });

  it.each(["", "x", "x\n", "\r\n", "中\r\n"])("cuts exactly at its limit: %j", (end) => {
    for (const more of [-1, 0, 1]) {
      const whole = "中".repeat(1_000) + end;
      const most = Buffer.byteLength(whole) + more;
      const part = partOf(whole, 0, most);
      expect(part?.end === part?.size).toBe(more >= 0);
      expect(whole.startsWith(part?.text ?? "-")).toBe(true);
    }
  });

  it("takes an offset inside a character for that character", () => {
    expect(partOf("a😀b", 3, 100)).toMatchObject({ text: "😀b", offset: 1 });
  });

  it("gives a skill in parts that have at most 19,000 bytes and are the whole block together", () => {
    fc.assert(
      fc.property(text, fc.string({ maxLength: 40 }), (body, name) => {
        const listing = { ...NO_FILES, files: ["/skills/a/x.md", "/skills/a/y.md"] };
        const block = renderSkillBlock({
          name,
          path: "/skills/a/SKILL.md",
          dir: "/skills/a",
          body,
          ...listing,
        });
        const call = { tool: "skill_load", params: { name, args: "some", force: true } };
        const parts = follow((offset) => partOfBlock(block, { name, offset, maxBytes: MAX, call }));
        for (const part of parts) expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(MAX);
        const all = parts.reduce((sum, part) => sum + Buffer.byteLength(part.text), 0);
        expect(all).toBeLessThanOrEqual(1.15 * Buffer.byteLength(block));
        if (parts.length === 1) {
          expect(parts[0]?.text).toBe(block);
          return;
        }
        const inside = parts.map((part) => inBlock(part.text)).join("");
        expect(inside).toBe(block.slice(block.indexOf("\n") + 1, -"</skill_context>".length));
        expect(inside.startsWith(escapeWrapperTags(body))).toBe(true);
        for (const part of parts) expect(part.text.match(/<\/skill_context>/g)).toHaveLength(1);
        for (const { text: part, next } of parts.slice(0, -1)) {
          const asked = JSON.parse(
            /call skill_load with (\{.*\})\. Read every part/.exec(part)?.[1] ?? "null",
          );
          expect(asked).toEqual({ name, args: "some", offset: next });
        }
      }),
      { numRuns: cases(500) },
    );
  });

  it("asks for the same parameters where they are too long to repeat", () => {
    const skill = { name: "a", path: "/a", dir: "/a", body: "x\n".repeat(20_000), ...NO_FILES };
    const block = renderSkillBlock(skill);
    const call = { tool: "skill_load", params: { name: "a", args: "y".repeat(500) } };
    const part = partOfBlock(block, { name: "a", offset: 0, maxBytes: MAX, call });
    expect(part?.text).toContain(`call skill_load with the same parameters and "offset": ${part?.next}`);
  });

  it("gives a file in parts that are its escaped text together", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const escaped = escapeWrapperTags(whole);
        const call = { tool: "skill_read_file", params: { name: "a", file: "a.md" } };
        const wanted = { file: "a.md", rest: "", maxBytes: MAX, call };
        const parts = follow((offset) => partOfFile(escaped, { ...wanted, offset }));
        for (const { text: part } of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(MAX);
        const given = parts.map(({ text: part }) => part.slice(0, part.lastIndexOf("\n--- Bytes ")));
        expect(given.join("")).toBe(escaped);
      }),
      { numRuns: cases(500) },
    );
  });
});
