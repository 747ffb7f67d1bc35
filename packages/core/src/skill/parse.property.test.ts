import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toDiagnostic } from "../shared/diagnostics.ts";
import { cases } from "../shared/testing/cases.ts";
import { DIALECT_NAMES } from "./dialects.ts";
import { type FullReading, parseSkill, parseWholeSkill } from "./parse.ts";
import { skillFactsSchema } from "./schema.ts";

/** At least so many in every test run; `npm run fuzz` sets a million. */
const RUNS = cases(20_000);

const VALID = `---
name: pdf-forms
description: >
  Fills PDF forms. Use when: the user asks. 填写 😀
license: 'MIT'
allowed-tools: Bash(git add:*) Read
metadata:
  author: "x"
  version: 1.10
requires_tools:
  - read
eligibility: { os: [linux] }
invocation_mode: tool_dispatch
command_tool: compile
---
# PDF

Text.
`;

const YAML =
  "---|...|:|: |- |? |#| # |'|\"|[|]|{|}|,|\\|>|&a|*a|!t|%|@|`|<<: |__proto__: |constructor: |\t| |a|É|日|😀";
const LINES =
  "\n|\n  |\r\n|\r|---\n|\n---\n|name: x\n|description: y\n|summary: z\n|a: b: c\n|command: plan\n|a: >\n";
const HIDDEN =
  "\u0000\u0002\u0018\u001b\u001f\u0085\u0301\u200b\u200d\u2028\u202e\ufe0f\ufeff\ufffd\u{e0041}\u{e0101}";
const fragment = fc.constantFrom(
  ...YAML.split("|"),
  ...LINES.split("|"),
  ...HIDDEN,
  "|",
  '"\\ud800"',
  '"\\e"',
);
const soup = fc.array(fragment, { maxLength: 30 }).map((fragments) => fragments.join(""));

/** A valid file with some of its bytes cut out and others put in their place. */
const mutated = fc
  .array(fc.tuple(fc.nat(VALID.length), fc.nat(8), fc.oneof(fragment, fc.uint8Array({ maxLength: 3 }))), {
    minLength: 1,
    maxLength: 4,
  })
  .map((edits) =>
    edits.reduce(
      (bytes, [at, cut, put]) =>
        Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + cut)]),
      Buffer.from(VALID),
    ),
  );

const file = fc.oneof(
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: soup.map((text) => Buffer.from(text)) },
  {
    weight: 2,
    arbitrary: fc.tuple(soup, soup).map(([yaml, body]) => Buffer.from(`---\n${yaml}\n---\n${body}`)),
  },
  { weight: 4, arbitrary: mutated },
);

/** What a reading of these bytes may not be; a fault of an unknown name throws. */
function problems(bytes: Buffer, reading: FullReading): string[] {
  const lines = bytes.toString("latin1").split("\n").length;
  const found: string[] = [];
  const demand = (holds: boolean, rule: string): void => {
    if (!holds) found.push(rule);
  };
  for (const fault of reading.faults) {
    const { code, message, line = 1 } = toDiagnostic(fault, "SKILL.md", "strict");
    demand(/^[EW]_[A-Z_]+$/.test(code), `${code} is a code`);
    demand(/\S/.test(message) && message.isWellFormed(), `${code} has a message`);
    demand(
      Number.isInteger(line) && line >= 1 && line <= lines,
      `line ${line} of ${code} is one of ${lines}`,
    );
  }
  const { name, description, body, facts } = reading;
  demand(name !== "" && name === name.normalize("NFC"), "the name is composed text");
  demand(description === description.trim(), "the description has no space around it");
  demand((name + description + body).isWellFormed(), "texts are well-formed");
  demand(facts === null || skillFactsSchema.safeParse(facts).success, "facts fit their schema");
  return found;
}

describe("robust parsing", () => {
  it("reads any bytes as any dialect without a throw, and says what is wrong on a line of the file", () => {
    let sound = 0;
    fc.assert(
      fc.property(file, fc.boolean(), (bytes, bareIsLily) => {
        for (const dialect of DIALECT_NAMES) {
          const place = { folder: "pdf-forms", dialect, bareIsLily };
          const whole = parseWholeSkill(bytes, place);
          expect(problems(bytes, whole)).toEqual([]);
          const { frontmatter: _, body: __, ...reading } = whole;
          expect(parseSkill(bytes, place)).toMatchObject(reading);
          if (whole.faults.length === 0) sound++;
        }
      }),
      { numRuns: RUNS },
    );
    expect(sound).toBeGreaterThan(RUNS / 20);
  });

  it("never adds a key by a repair that no line of the source begins with", () => {
    const pieces = "a|Use when|: |: |:| |'|\"|#| #|, |{|[|]|}|- |x: y|\u2028|\u0085|日|b: ".split("|");
    const value = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 });
    const pair = fc.tuple(
      fc.constantFrom("", "", "", "  ", "\t", "- ", "  - "),
      fc.constantFrom("name", "description", "license", "metadata", "command"),
      fc.constantFrom(": ", ": ", ":"),
      value.map((texts) => texts.join("")),
      fc.constantFrom("\n", "\n", "\n", "\r\n", "\r", "\n  ", "\n\n"),
    );
    const yaml = fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => pairs.flat().join(""));
    let repaired = 0;
    fc.assert(
      fc.property(yaml, (source) => {
        const reading = parseWholeSkill(Buffer.from(`---\n${source}\n---\n`), {
          folder: "pdf",
          dialect: "agentskills",
          bareIsLily: false,
        });
        if (!reading.faults.some(({ fault }) => fault === "YAML_REPAIRED")) return;
        repaired++;
        const starts = source.split("\n").map((line) => line.replace(/^[\s"']+/, ""));
        for (const key of Object.keys(reading.frontmatter)) {
          expect(
            starts.some((start) => start.startsWith(key)),
            `the key ${key}`,
          ).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
    expect(repaired).toBeGreaterThan(RUNS / 40);
  });
});
