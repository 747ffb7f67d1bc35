import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import type { MarkdownFinding } from "./markdown.ts";
import { runBuiltin } from "./testing/run-builtin.ts";

async function validate(text: string, params: Record<string, unknown>): Promise<string[]> {
  const run = await runBuiltin("validator_basic", [["input", "x.md", text]], params);
  expect(run).toMatchObject({ status: "SUCCEEDED", artifacts: [], error: null });
  const { passed, findings = [] } = { ...run.evidences[0]?.data } as {
    passed?: boolean;
    findings?: MarkdownFinding[];
  };
  expect(passed).toBe(findings.length === 0);
  return findings.map(({ rule, line }) => `${rule} ${line}`);
}

async function failure(
  text: string | Uint8Array,
  params: Record<string, unknown>,
): Promise<string | undefined> {
  return (await runBuiltin("validator_basic", [["input", "x.md", text]], params)).error?.code;
}

describe("validator_basic: sections", () => {
  it("has a finding for each of many thousand links, and no limit of the stack", async () => {
    const text = Array.from({ length: 130_000 }, (_, place) => `- [x][y${place}]\n`).join("");
    const run = await runBuiltin("validator_basic", [["input", "x.md", text]], { links: true });
    expect(run).toMatchObject({ status: "SUCCEEDED", error: null });
  });

  const text =
    "---\na: 1\n---\n# Report\n\n## Scope\n\n```\n## Risks\n```\n\n概要\n====\n\n<!--\n## Hidden\n-->\n### **Open** `points` ##\n";

  it("passes where every heading is there, underlined ones and marked-up ones too", async () => {
    expect(await validate(text, { sections: ["Report", "## Scope", "概要", "Open points"] })).toEqual([]);
  });

  it("does not count headings in code or comments", async () => {
    expect(await validate(text, { sections: ["Risks", "Hidden"] })).toEqual([
      "section_missing 18",
      "section_missing 18",
    ]);
  });

  it("checks the level, and points at a heading that was probably meant", async () => {
    expect(await validate(text, { sections: [{ title: "Scope", level: 3 }, "scope"] })).toEqual([
      "section_level 6",
      "section_missing 6",
    ]);
  });

  it("checks the order only where it is asked for", async () => {
    const sections = ["Scope", "Report", "概要"];
    expect(await validate(text, { sections })).toEqual([]);
    expect(await validate(text, { sections, ordered: true })).toEqual(["section_order 4"]);
  });

  it("gives the exact line of a heading, whatever stands above it", async () => {
    const block = fc.constantFrom(
      "text\n",
      "\n",
      "```\n# no\n```\n",
      "- item\n",
      "    # code\n\n",
      "<!-- # no -->\n",
    );
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(block, { maxLength: 12 }), async (front, blocks) => {
        const above = `${front ? "---\nt: x\n---\n" : ""}${blocks.join("")}\n`;
        const found = await validate(`${above}# Here\n`, { sections: ["here"] });
        expect(found).toEqual([`section_missing ${above.split("\n").length}`]);
      }),
      { numRuns: cases(100) },
    );
  });
});

describe("validator_basic: front matter", () => {
  const text = "---\ntitle: Report\nauthor: ''\ntags: []\ncount: 3\nmeta:\n  state: open\n---\nbody\n";

  it("finds fields that are missing or empty", async () => {
    expect(await validate(text, { fields: ["title", "author", "tags", "date"] })).toEqual([
      "field_missing 1",
      "field_empty 3",
      "field_empty 4",
    ]);
    expect(await validate("no front matter\n", { fields: ["title"] })).toEqual(["field_missing 1"]);
  });

  it("checks by JSON Schema, each finding on the line of its value", async () => {
    const schema = {
      type: "object",
      required: ["date"],
      properties: {
        title: { type: "string", pattern: "^Q[1-4]" },
        count: { type: "integer", maximum: 2 },
        meta: { $ref: "#/$defs/meta" },
      },
      $defs: { meta: { properties: { state: { enum: ["done"] } } } },
    };
    expect(await validate(text, { schema })).toEqual(["schema 1", "schema 2", "schema 5", "schema 7"]);
    expect(
      await validate(text, { schema: { additionalProperties: false, properties: { title: {} } } }),
    ).toEqual(["schema 3", "schema 4", "schema 5", "schema 6"]);
    expect(await validate("none", { schema: { required: ["a"] } })).toEqual(["schema 1"]);
  });

  it("finds front matter that is not valid YAML", async () => {
    expect(await validate("---\na: 1\na: 2\n---\n", { fields: ["a"] })).toEqual(["front_matter 3"]);
  });

  it("answers a pattern in linear time and refuses what leads out of the schema", async () => {
    const long = `---\na: ${"a".repeat(50_000)}!\n---\n`;
    const pattern = { properties: { a: { pattern: "^(a+)+$" } } };
    expect(await validate(long, { schema: pattern })).toEqual(["schema 2"]);
    const remote = { properties: { a: { $ref: "http://169.254.169.254/" } } };
    expect(await failure(text, { schema: remote })).toBe("SCHEMA_INVALID");
    expect(await failure(text, { schema: { $ref: "#" } })).toBe("SCHEMA_INVALID");
  });
});

describe("validator_basic: links", () => {
  it.each([
    ["a heading", "# Über uns & more!\n[x](#über-uns--more)\n[y](#%C3%BCber-uns--more)\n", []],
    ["the second heading of a name", "# A\n# A\n[x](#a-1)\n[y](#a-2)\n", ["link_anchor 4"]],
    ["a Japanese heading", "# 目次 一\n[x](#目次-一)\n", []],
    ["an id", '<a id="here"></a>\n[x](#here) [y](#there)\n', ["link_anchor 2"]],
    ["nothing", "[x]()\n![](<>)\n", ["link_empty 1", "link_empty 2"]],
    [
      "files, addresses and titles",
      '[a](b/c.md "t") [d](https://x.org/(e)) ![f](<g h.png>)\n',
      ["link_malformed 1"],
    ],
    ["what is not well formed", "[a](http://) [b](x%zz)\n", ["link_malformed 1", "link_malformed 1"]],
    ["an unclosed one", "ok\n[a](b.md\nmore\n", ["link_unclosed 2"]],
    ["references", "[a][one] [two][] [b][None]\n\n[ONE]: x.md\n[two]: <y.md>\n", ["link_reference 1"]],
    ["an id given twice", '<a id="x"></a>\n<p id="x">\n', ["link_duplicate_id 2"]],
    ["code", "`[a]()` ``[b](` ``\n```\n[c](#none)\n```\n\\[d]()\n    [e]()\n", ["link_empty 6"]],
  ])("looks at links to %s", async (_name, text, expected) => {
    expect(await validate(text, { links: true })).toEqual(expected);
  });

  it("does not look at links unless asked", async () => {
    expect(await validate("[x]()", {})).toEqual([]);
  });

  it("counts the front matter's lines", async () => {
    expect(await validate("---\na: 1\n---\n\n[x](#nope)\n", { links: true })).toEqual(["link_anchor 5"]);
  });
});

describe("validator_basic: any text", () => {
  it("never throws and stays quick on brackets, backticks and marks", async () => {
    const piece = fc.constantFrom(...'[]()`<#!\\\n a"', "``", "<!--", "---\n", "~~~\n");
    const params = { links: true, sections: ["a"], fields: ["a"] };
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        await validate(pieces.join(""), params);
      }),
      { numRuns: cases(200) },
    );
    for (const part of ["[", "[a](", "[a][", "`", "` `` ", "<a ", "# a [", "<!--", '  "', '[a](b "']) {
      await validate(part.repeat(200_000), params);
      await validate(`${part.repeat(900)}\n`.repeat(200), params);
    }
  });

  it("lists at most a thousand findings and says how many more there are", async () => {
    const found = await validate("[x]()\n".repeat(3_000), { links: true });
    expect(found).toHaveLength(1_001);
    expect(found.at(-1)).toBe("limit 1001");
  });

  it("answers TEXT_ENCODING for what is no text", async () => {
    expect(await failure(Buffer.from([0x80, 0x81]), {})).toBe("TEXT_ENCODING");
  });
});
