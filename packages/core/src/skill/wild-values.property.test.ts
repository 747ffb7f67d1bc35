import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { isError } from "../shared/diagnostics.ts";
import { cases } from "../shared/testing/cases.ts";
import { type FullReading, parseWholeSkill } from "./parse.ts";

const RUNS = cases(20_000);

function read(yaml: string, lineEnd = "\n"): FullReading {
  return parseWholeSkill(Buffer.from(`---\n${yaml}\n---\n# X\n`.replaceAll("\n", lineEnd)), {
    folder: "x",
    dialect: "agentskills",
    bareIsLily: false,
  });
}
const describes = (value: string): string => `name: x\ndescription: ${value}\nlicense: MIT`;
/** A block of text whose first line stands beside its sign is the text without the sign. */
const meantBy = (value: string): string => value.replace(/^[|>][-+]?[ \t]+(?=\D)/, "");
const faultsOf = ({ faults }: FullReading): string[] => faults.map(({ fault, line }) => `${fault}:${line}`);

describe("product.md strict by default: values without the quotes that they need", () => {
  it.each([
    "**Fast** unit tests.",
    "*.ts and *.tsx files",
    "*",
    "![](logo.png) Draws logos.",
    "![logo](logo.png)",
    "[Docs](https://e.com/a) for the tool.",
    "[beta] Reviews code.",
    "{{tool}} helper",
    "@acme/tools helper",
    "%d formats",
    "`git rebase` made easy",
    "| Reviews code.",
    "|Reviews code.",
    "> Reviews code.",
    ">- Reviews code.",
    "- Reviews code.",
    "? what",
    ": what",
    ", and more",
    "] closing",
    "} closing",
    "& friends",
    '"Quick" checks of code',
    "'Quick' checks of code",
    "**Use when**: asked: always",
    "@me: does it's thing",
    "[a](b): c # d",
    "Use when: asked",
    "Use when: *always* asked",
    "Use when:",
    "it's: fine",
    "Covers: &more",
    "Beware: !important",
  ])("reads %j as the text that it is, with a warning that shows the line to write", (value) => {
    for (const lineEnd of ["\n", "\r\n"]) {
      const reading = read(describes(value), lineEnd);
      expect(reading).toMatchObject({ name: "x", description: meantBy(value), facts: { license: "MIT" } });
      expect(faultsOf(reading)).toEqual(["YAML_REPAIRED:3"]);
      const [, written = ""] = /Write: description: ('.+')$/.exec(reading.faults[0]?.message ?? "") ?? [];
      expect(read(describes(written), lineEnd)).toMatchObject({ description: meantBy(value), faults: [] });
    }
  });

  it("keeps the lines of what follows a value over two lines", () => {
    const reading = read("name: x\ndescription: Use when: asked\n  for it\ncommand: Plan");
    expect(reading.description).toBe("Use when: asked for it");
    expect(faultsOf(reading)).toEqual(["YAML_REPAIRED:3", "COMMAND_INVALID:5"]);
  });

  it.each(["c: d", "[c"])("repairs one value: with license: %s, two faults stay a fault", (license) => {
    expect(faultsOf(read(`name: x\ndescription: a: b\nlicense: ${license}`))).toEqual(["YAML_SYNTAX:3"]);
  });

  it("joins a block whose first line stands beside its sign, and shows it on one line", () => {
    const reading = read("name: x\ndescription: | first line\n  second line\nlicense: MIT");
    expect(reading.description).toBe("first line second line");
    expect(reading.faults[0]?.message).toContain("Write: description: 'first line second line'");
  });

  it("names neither aliases nor tags nor tokens to who wrote plain text", () => {
    for (const value of ["**Fast** tests", "![](x.png)", "| text", "@x"]) {
      expect(read(describes(value)).faults[0]?.message).not.toMatch(/alias|tag|token/i);
    }
    expect(read(describes("| Reviews code.")).faults[0]?.message).toBe(
      `Text after "|" must begin on the next line, or the value needs quotes; it was read as if it had them. Write: description: 'Reviews code.'`,
    );
  });

  it("does the same for an item of a list and a nested key", () => {
    const reading = read("name: x\ndescription: y\nglobs:\n  - src\n  - *.ts\n  - lib");
    expect(reading.frontmatter.globs).toEqual(["src", "*.ts", "lib"]);
    expect(faultsOf(reading)).toEqual(["YAML_REPAIRED:6"]);
    expect(read("name: x\ndescription: y\nmetadata:\n  by: @me\n  a: b").facts?.metadata).toEqual({
      by: "@me",
      a: "b",
    });
  });

  it.each([
    ["an anchor", "&name Reviews code.", "YAML_ALIAS:3", "'&name Reviews code.'"],
    ["a tag", "!important Reviews code.", "YAML_TAG:3", "'!important Reviews code.'"],
    ["a quote that is never closed", '"Reviews code.', "YAML_SYNTAX:3", "'Reviews code.'"],
    ["an apostrophe in quotes", "'it's code'", "YAML_SYNTAX:3", "'it''s code'"],
    ["two quoted texts", '"a" or "b"', "YAML_SYNTAX:3", `'"a" or "b"'`],
    ["a backslash in quotes", '"C:\\path"', "YAML_SYNTAX:3", "'C:\\path'"],
    ["a bracket that is never closed", "[Reviews code", "YAML_SYNTAX:3", "'[Reviews code'"],
    ["a brace that is never closed", "{Reviews code", "YAML_SYNTAX:3", "'{Reviews code'"],
    ["a list", "[a, b]", "DESC_INVALID:3", '"…"'],
    ["a mapping", "{a: b}", "DESC_INVALID:3", '"…"'],
  ])("leaves out what could also be %s, and shows how to write it", (_, value, fault, shown) => {
    const reading = read(describes(value));
    expect(faultsOf(reading)).toEqual([fault]);
    expect(reading.faults[0]?.message).toContain(`put it in quotes: description: ${shown}`);
    expect(reading.faults[0]?.message).not.toMatch(/node end/);
  });

  it("takes an alias for an alias where its anchor is there", () => {
    expect(faultsOf(read("name: x\nlicense: &a MIT\ndescription: *a"))).toEqual(["YAML_ALIAS:3"]);
    expect(faultsOf(read("name: x\ndescription: *a\nlicense: &a MIT"))).toEqual(["YAML_ALIAS:3"]);
  });

  it("leaves lists unfinished where a list belongs", () => {
    for (const value of ["- Read", "[Read] Write", "[Read"]) {
      const reading = read(`name: x\ndescription: y\nallowed-tools: ${value}`);
      expect(faultsOf(reading)).toEqual(["YAML_SYNTAX:4"]);
      expect(reading.facts).toBeNull();
    }
  });

  it("tells where a comment cuts a value", () => {
    for (const value of ["Writes C # code", "Writes C \t# code"]) {
      const reading = read(describes(value));
      expect(reading.description).toBe("Writes C");
      expect(faultsOf(reading)).toEqual(["YAML_COMMENT:3"]);
    }
    expect(faultsOf(read(describes("# Writes C")))).toEqual(["YAML_COMMENT:3", "DESC_INVALID:3"]);
    for (const value of ['"a" # b', "'a # b'", "a#b", "C# code"])
      expect(faultsOf(read(describes(value)))).toEqual([]);
  });

  it("reads what looks strange and is right as YAML does", () => {
    expect(read(describes("“Reviews” code.   ")).description).toBe("“Reviews” code.");
    expect(read(describes("\tReviews code.\t")).description).toBe("Reviews code.");
    const file = `\ufeff--- \t\r\nname: x\r\ndescription: Reviews. \r\n---  \r\n# X\r\n`;
    expect(
      parseWholeSkill(Buffer.from(file), { folder: "x", dialect: "agentskills", bareIsLily: false }),
    ).toMatchObject({ description: "Reviews.", faults: [] });
  });

  it("quotes at most 200 characters, and no control character", () => {
    const [fault] = read(describes(`*\u001b[31m${"x".repeat(5000)}`)).faults;
    expect(fault?.message.length).toBeLessThan(400);
    expect(fault?.message).not.toContain("\u001b");
  });

  it("never reads a text silently as another", () => {
    const pieces =
      "a|Use when|: |:| |  |\t|'|\"|#| #|, |,|{|[|]|}|- |-|? |?|!|![|](x)|&|& |*|**|> |||%|@|`|~|=|<<|\\|---|...|日|é|😀|“|”|.ts|!!str |&a |*a|key: |://".split(
        "|",
      );
    const text = fc
      .array(fc.constantFrom(...pieces, "|", "| ", "|-", ">", ">2 "), { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join("").trim())
      .filter((value) => value !== "");
    const seen = { plain: 0, repaired: 0, refused: 0 };
    fc.assert(
      fc.property(text, (value) => {
        const reading = read(describes(value));
        const names = reading.faults.map(({ fault }) => fault);
        if (reading.facts?.license !== undefined) expect(reading.facts.license).toBe("MIT");
        if (names.includes("YAML_REPAIRED")) {
          seen.repaired++;
          const description = meantBy(value);
          expect(reading.description).toBe(description);
          expect(reading.frontmatter).toEqual({ name: "x", description, license: "MIT" });
          return;
        }
        const error = reading.faults.find((fault) => isError(fault, "lenient"));
        if (error) {
          seen.refused++;
          expect(error.message).toMatch(/put it in quotes|say what the skill does|write the keys out/);
          return;
        }
        seen.plain++;
        const document = parseDocument(describes(value), { schema: "failsafe" });
        expect(document.errors).toEqual([]);
        const said = String(document.get("description"));
        expect(reading.description).toBe(said.trim());
        if (said.length < value.length && !/^["'|>]/.test(value)) expect(names).toContain("YAML_COMMENT");
      }),
      { numRuns: RUNS },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS / 50);
  });
});
