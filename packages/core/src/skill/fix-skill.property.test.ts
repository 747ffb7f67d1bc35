import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "../shared/testing/cases.ts";
import { fixSkill } from "./fix-skill.ts";
import { parseWholeSkill } from "./parse.ts";

const PLACE = { folder: "my-skill", dialect: "agentskills", bareIsLily: false } as const;
const fix = (text: string) => fixSkill(Buffer.from(text, "utf8"), PLACE, { renames: true });
const read = (text: string) => parseWholeSkill(Buffer.from(text, "utf8"), PLACE);

const word = fc.constantFrom("use", "when", "it's", "審查", "C#", "a-b", "x'y", "“so”", "🙂");
const plain = fc
  .tuple(fc.constantFrom("Does", "Réads", "用"), fc.array(word, { maxLength: 4 }))
  .map(([first, rest]) => [first, ...rest].join(" "));
const withColon = fc.tuple(plain, plain).map(([a, b]) => `${a}: ${b}`);
const bodyPart = fc.constantFrom(
  "# X",
  "text",
  "",
  "\tcode",
  "  - list",
  "a: b",
  "Use when: x",
  "'",
  "🙂",
  " ",
);

const skill = fc.record({
  name: fc.constantFrom("my-skill", "My Skill", "other", '"other"', "'a b'", undefined),
  description: fc.oneof(plain, withColon),
  compatibility: fc.oneof(plain, withColon, fc.constant(undefined)),
  metadata: fc.dictionary(fc.constantFrom("a", "b", "c"), fc.oneof(plain, withColon), {
    noNullPrototype: true,
  }),
  indent: fc.constantFrom("  ", "\t", "    "),
  mark: fc.constantFrom("", "\ufeff"),
  hasFence: fc.boolean(),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  body: fc.array(bodyPart, { maxLength: 6 }),
});

it("fixes every defect, and what the file says and every other line stay as they were", () => {
  fc.assert(
    fc.property(skill, (given) => {
      const { name, description, compatibility, metadata, indent, mark, hasFence, lineEnd, body } = given;
      const nested = Object.entries(metadata);
      const keys = [
        ...(name === undefined ? [] : [`name: ${name}`]),
        `description: ${description}`,
        ...(compatibility === undefined ? [] : [`compatibility: ${compatibility}`]),
        ...(nested.length > 0
          ? ["metadata:", ...nested.map(([key, value]) => `${indent}${key}: ${value}`)]
          : []),
      ];
      const rest = ["", "# Title", ...body];
      // Without a fence and a name it is not clear what the file is.
      const isClosed = hasFence || name === undefined || body.includes("a: b");
      const lines = ["---", ...keys, ...(isClosed ? ["---"] : []), ...rest];
      const text = mark + lines.join(lineEnd);
      const fixed = fix(text);
      const after = fixed?.bytes.toString("utf8") ?? text;
      expect(read(after)).toMatchObject({ name: "my-skill", faults: [], body: rest.join(lineEnd) });
      expect({ ...read(after).frontmatter }).toEqual({
        name: "my-skill",
        description,
        ...(compatibility === undefined ? {} : { compatibility }),
        ...(nested.length > 0 ? { metadata: expect.objectContaining(metadata) } : {}),
      });
      expect(fix(after)).toBeNull();
      // Lines without a defect are the same, byte by byte.
      const now = after.split("\n");
      for (const line of text.replace("\ufeff", "").split("\n"))
        if (!/^name|: .*: |^\t/.test(line)) expect(now).toContain(line);
    }),
    { numRuns: cases(5_000) },
  );
});

const piece = fc.constantFrom(
  ...["---", "---", "name: x", "name: my-skill", "name:", "description: d", "description: a: b", "metadata:"],
  ...[
    "\ta: b",
    "  a: b: c",
    "  - x",
    "\t- y",
    "key: | text",
    "key: *a",
    "key: &a b",
    'key: "open',
    "key: [a",
  ],
  ...["", "# H", "text", "license: MIT", "---yaml", "--- js", "...", "\ufeff", "  more", "a: # b", "'a': b"],
);
const lineEnds = fc.constantFrom("\n", "\r\n", "\n\n", "\r");

it("changes nothing but quotes, indentation, fences, the mark and the name in any text", () => {
  const texts = fc
    .array(fc.tuple(piece, lineEnds), { maxLength: 12 })
    .map((parts) => `---\n${parts.map(([line, end]) => line + end).join("")}`);
  /** What no fix may touch. */
  const rest = (text: string): string =>
    text.replaceAll(/^["']?name["']?[ \t]*:.*$/gm, "").replaceAll(/^---yaml|['|>\s\ufeff-]/gm, "");
  fc.assert(
    fc.property(texts, fc.boolean(), (tail, isMarked) => {
      const text = isMarked ? `\ufeff${tail}` : tail;
      const fixed = fix(text);
      if (!fixed) return;
      const after = fixed.bytes.toString("utf8");
      expect(rest(after)).toBe(rest(text));
      expect(fix(after)).toBeNull();
      const [before, now] = [read(text), read(after)];
      if (Object.keys(before.frontmatter).length > 0) {
        expect({ ...now.frontmatter, name: "" }).toEqual({ ...before.frontmatter, name: "" });
        expect(now.body).toBe(before.body);
      }
      const left = now.faults.map(({ fault }) => fault);
      for (const { fault } of fixed.fixed) expect(left).not.toContain(fault);
    }),
    { numRuns: cases(20_000) },
  );
});
