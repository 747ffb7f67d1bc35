import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KnackError } from "../../shared/errors.ts";

import { cases } from "../../shared/testing/cases.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import {
  charBudget,
  cutDescription,
  fitDescriptions,
  renderCatalogBlock,
  renderSkillList,
  SHORTEST_DESCRIPTION,
} from "./catalog-block.ts";

const LIMITS = { maxEntries: 200, maxBytes: 32_768 };

function skill(name: string, description: string): SkillMetadata {
  const dir = `/repo/.agents/skills/${name}`;
  return {
    id: name,
    name,
    description,
    path: `${dir}/SKILL.md`,
    dir,
    scope: "repo",
    mtimeMs: 0,
    dialect: "agentskills",
  };
}

function many(count: number, description: string): SkillMetadata[] {
  return Array.from({ length: count }, (_, at) => skill(`skill-${String(at).padStart(6, "0")}`, description));
}

function descriptionsOf(text: string): string[] {
  return [...text.matchAll(/<description>(.*)<\/description>/g)].map(([, found]) => found ?? "");
}

describe("004 §6.1 the catalog in a system prompt", () => {
  const two = [
    skill("repo-review", "Review PR with risk-first checklist"),
    skill("release-notes", "Draft release notes from commits"),
  ];

  it("is laid out as in the example", () => {
    const { text, ...rest } = renderCatalogBlock(two, LIMITS);
    expect(
      text.replace(/( {2}<rule>.*<\/rule>\n)+/, "  <rule>...skill usage guidance...</rule>\n"),
    ).toBe(`<skills_context>
<skills_usage>
  <rule>...skill usage guidance...</rule>
</skills_usage>
<skills_catalog scope="initial" truncated="false">
  <skill>
    <name>repo-review</name>
    <description>Review PR with risk-first checklist</description>
    <path>/repo/.agents/skills/repo-review/SKILL.md</path>
    <scope>repo</scope>
  </skill>
  <skill>
    <name>release-notes</name>
    <description>Draft release notes from commits</description>
    <path>/repo/.agents/skills/release-notes/SKILL.md</path>
    <scope>repo</scope>
  </skill>
</skills_catalog>
</skills_context>`);
    expect(rest).toEqual({ truncated: false, shown: 2, total: 2, bytes: Buffer.byteLength(text) });
  });

  it("001 says when to load a skill, in at most 700 bytes", () => {
    const [rules = ""] = /( {2}<rule>.*<\/rule>\n)+/.exec(renderCatalogBlock(two, LIMITS).text) ?? [];
    expect(Buffer.byteLength(rules)).toBeLessThan(700);
    for (const word of [
      "$name",
      "skill_load",
      "Skill",
      "description",
      "only when",
      "never",
      "by path",
      "data",
    ])
      expect(rules).toContain(word);
  });

  it("is there without skills too", () => {
    const block = renderCatalogBlock([], LIMITS);
    expect(block).toMatchObject({ truncated: false, shown: 0, total: 0 });
    expect(block.text).toContain('truncated="false">\n</skills_catalog>');
  });

  it("leaves the element out where a skill has no description", () => {
    expect(renderCatalogBlock([skill("a", " \n")], LIMITS).text).not.toContain("<description>");
  });

  it("does not list what only people may call", () => {
    const hidden = { ...skill("secret", "x"), disableModelInvocation: true };
    const block = renderCatalogBlock([hidden, ...two], LIMITS);
    expect(block).toEqual(renderCatalogBlock(two, LIMITS));
  });
});

describe("the budget", () => {
  const SHORT = "Review code.";
  const LONG = "word ".repeat(200).trim();

  it("keeps 2,000 skills with long descriptions within it, and says what is missing", () => {
    const skills = many(2_000, "x".repeat(1_024));
    const named = renderCatalogBlock(skills, LIMITS);
    expect(named).toMatchObject({ truncated: true, shown: 200, total: 2_000 });
    expect(named.bytes).toBeLessThanOrEqual(32_768);
    expect(named.text).toContain('truncated="true"');
    expect(named.text).toContain(
      "<rule>200 of 2,000 skills are listed. Descriptions are left out. Use skill_search to find the rest.</rule>",
    );
    const described = renderCatalogBlock(skills, { ...LIMITS, maxEntries: 150 });
    expect(described).toMatchObject({ truncated: true, shown: 150, total: 2_000 });
    expect(described.bytes).toBeLessThanOrEqual(32_768);
    expect(described.bytes).toBeGreaterThan(32_768 - 150);
    expect(described.text).toContain(
      "<rule>150 of 2,000 skills are listed. Descriptions are shortened. Use skill_search to find the rest.</rule>",
    );
  });

  it("says only what is missing", () => {
    const entries = renderCatalogBlock(many(3, SHORT), { ...LIMITS, maxEntries: 2 });
    expect(entries.text).toContain(
      "<rule>2 of 3 skills are listed. Use skill_search to find the rest.</rule>",
    );
    expect(descriptionsOf(entries.text)).toEqual([SHORT, SHORT]);
    const shortened = renderCatalogBlock(many(3, LONG), { ...LIMITS, maxBytes: 2_000 });
    expect(shortened.text).toContain(
      "<rule>Descriptions are shortened. Use skill_search to find the rest.</rule>",
    );
  });

  it("then leaves out entries from the end", () => {
    const { text, shown, bytes } = renderCatalogBlock(many(100, LONG), { ...LIMITS, maxBytes: 4_000 });
    expect(shown).toBeGreaterThan(10);
    expect(text).toContain(
      `${shown} of 100 skills are listed. Descriptions are left out. Use skill_search to find the rest.`,
    );
    expect([...text.matchAll(/<name>(.*)<\/name>/g)].map(([, name]) => name)).toEqual(
      many(shown, "").map(({ name }) => name),
    );
    expect(4_000 - bytes).toBeLessThan(150);
  });

  it("then points to skill_search alone, then is empty", () => {
    const pointer = renderCatalogBlock(many(5, LONG), { ...LIMITS, maxBytes: 300 });
    expect(pointer.text).toBe(`<skills_context>
<skills_usage>
  <rule>0 of 5 skills are listed. Use skill_search to find the rest.</rule>
</skills_usage>
<skills_catalog scope="initial" truncated="true">
</skills_catalog>
</skills_context>`);
    expect(renderCatalogBlock(many(5, LONG), { maxEntries: 0, maxBytes: 32_768 })).toEqual(pointer);
    const nothing = { text: "", truncated: true, shown: 0, total: 5, bytes: 0 };
    expect(renderCatalogBlock(many(5, LONG), { ...LIMITS, maxBytes: 100 })).toEqual(nothing);
    expect(renderCatalogBlock([], { ...LIMITS, maxBytes: 100 })).toMatchObject({
      text: "",
      truncated: false,
    });
  });

  it("looks at no more skills than it could show", () => {
    const skills = many(100_000, LONG);
    let looked = 0;
    const watched = skills.map((each) => {
      const path = (): string => {
        looked++;
        return each.path;
      };
      return Object.defineProperty({ ...each }, "path", { get: path });
    });
    renderCatalogBlock(watched, LIMITS);
    renderCatalogBlock(watched, { ...LIMITS, maxEntries: 100_000 });
    expect(looked).toBeLessThan(2_000);
  });
});

const chars = (text: string): number => text.length;
const bytes = (text: string): number => Buffer.byteLength(text);

describe("descriptions in little room", () => {
  it("keeps what fits and marks what was cut", () => {
    expect(cutDescription("abcdef", 6, chars)).toBe("abcdef");
    expect(cutDescription("abcdef", 5, chars)).toBe("abcd…");
    expect(cutDescription("abc def", 5, chars)).toBe("abc…");
  });

  it.each([
    ["a surrogate pair", "ab😀cdefgh", 4, "ab…"],
    ["a letter and its mark", "abe\u0301cdefgh", 4, "ab…"],
    ["an emoji and its joiners", "a👩‍💻bcdefghijk", 6, "a…"],
    ["an emoji and its skin tone", "a👍🏽bcdefgh", 4, "a…"],
    ["a flag", "a🇯🇵🇫🇷bcdefgh", 8, "a🇯🇵…"],
  ])("does not split %s", (_what, text, length, expected) => {
    expect(cutDescription(text, length, chars)).toBe(expected);
  });

  it("does not cut what an ellipsis would not make cheaper", () => {
    expect(cutDescription("abcdef", 5, bytes)).toBe("abcdef");
    expect(cutDescription("abcdefg", 5, bytes)).toBe("abcdefg");
    expect(cutDescription("abcdefgh", 5, bytes)).toBe("abcd…");
    expect(fitDescriptions(["a".repeat(21)], -1, 21, bytes)).toBe(21);
  });

  it("cuts a page of marks all the same", () => {
    const text = `a${"\u0301".repeat(10_000)}`;
    expect(cutDescription(text, 500, chars)).toHaveLength(500);
  });

  it("finds the largest length that fits, as trying all of them does", () => {
    const text = fc.string({ unit: fc.constantFrom("a", " ", "é", "技", "😀", "\u0301"), maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 6 }),
        fc.nat(400),
        fc.constantFrom(chars, bytes),
        (texts, room, cost) => {
          const used = (length: number): number =>
            texts.reduce((sum, each) => sum + cost(cutDescription(each, length, cost)), 0);
          const longest = Math.max(SHORTEST_DESCRIPTION, ...texts.map((each) => each.length));
          const fitting = Array.from({ length: longest + 1 }, (_, length) => length).filter(
            (length) => length >= SHORTEST_DESCRIPTION && used(length) <= room,
          );
          expect(fitDescriptions(texts, -1, room, cost)).toBe(fitting.at(-1));
        },
      ),
      { numRuns: cases(3_000) },
    );
  });
});

function numbered(count: number, description: string): SkillMetadata[] {
  return Array.from({ length: count }, (_, at) => skill(`s${at}`, description));
}

describe("001 Skill Tool Prompt: the list of skills", () => {
  it("has a line for each skill", () => {
    expect(
      renderSkillList([skill("a", "Does\n a."), skill("b", ""), skill("c", "Does c.")], { maxChars: 12_000 }),
    ).toEqual({ text: "- a: Does a.\n- b\n- c: Does c.", truncated: false });
    expect(renderSkillList([], { maxChars: 12_000 })).toEqual({ text: "", truncated: false });
  });

  it("fits exactly into its own length", () => {
    const skills = [skill("a", "Reviews code changes for risk."), skill("b", "Drafts release notes.")];
    const whole = renderSkillList(skills, { maxChars: 12_000 });
    expect(renderSkillList(skills, { maxChars: whole.text.length })).toEqual(whole);
    expect(renderSkillList(skills, { maxChars: whole.text.length - 1 }).truncated).toBe(true);
    expect(renderSkillList(numbered(2, ""), { maxChars: 9 })).toEqual({
      text: "- s0\n- s1",
      truncated: false,
    });
  });

  it("shortens descriptions evenly, and points to skill_search", () => {
    const { text, truncated } = renderSkillList([...numbered(3, "x".repeat(1_000)), skill("b", "Short.")], {
      maxChars: 400,
    });
    expect(truncated).toBe(true);
    expect(text.length).toBeGreaterThan(390);
    const lines = text.split("\n");
    expect(lines.slice(0, 3)).toEqual([0, 1, 2].map((at) => expect.stringMatching(`^- s${at}: x{90,}…$`)));
    expect(new Set(lines.slice(0, 3).map((line) => line.length)).size).toBe(1);
    expect(lines.slice(3)).toEqual([
      "- b: Short.",
      "Descriptions are shortened. Use skill_search to find the rest.",
    ]);
  });

  it("then lists names, then as many names as fit, with the number of the others", () => {
    expect(renderSkillList(numbered(20, "x".repeat(50)), { maxChars: 250 }).text).toBe(
      `${numbered(20, "")
        .map(({ name }) => `- ${name}`)
        .join("\n")}\nDescriptions are left out. Use skill_search to find the rest.`,
    );
    const { text } = renderSkillList(numbered(5_000, "x"), { maxChars: 1_000 });
    const listed = text.split("\n").length - 1;
    expect(text.split("\n").at(-1)).toBe(
      `${String(5_000 - listed).replace(/(\d)(\d{3})$/, "$1,$2")} more skills are not listed. Descriptions are left out. Use skill_search to find the rest.`,
    );
    expect(1_000 - text.length).toBeLessThan(10);
  });

  it("names the project's own and then the most used where not all fit, and keeps the order where they do", () => {
    const skills = [...numbered(90, "x"), { ...skill("own", "x"), scope: "repo" as const }].map((each) =>
      each.name === "own" ? each : { ...each, scope: "user" as const },
    );
    const uses = new Map([
      ["s70", 2],
      ["s80", 5],
    ]);
    const names = (maxChars: number, maxEntries?: number): string[] =>
      renderSkillList(skills, { maxChars, uses, ...(maxEntries === undefined ? {} : { maxEntries }) })
        .text.split("\n")
        .map((line) => line.replace(/^- (\w+).*/, "$1"));
    expect(names(200).slice(0, 5)).toEqual(["own", "s80", "s70", "s0", "s1"]);
    expect(names(12_000, 3).slice(0, 3)).toEqual(["own", "s80", "s70"]);
    expect(names(12_000)).toEqual(skills.map(({ name }) => name));
  });

  it("is the pointer alone where no name fits, and empty where not even that does", () => {
    const skills = numbered(7, "x".repeat(50));
    expect(renderSkillList(skills, { maxChars: 68 }).text).toBe(
      "7 more skills are not listed. Use skill_search to find the rest.",
    );
    expect(renderSkillList(skills, { maxChars: 30 })).toEqual({ text: "", truncated: true });
    expect(renderSkillList(skills, { maxChars: 0 })).toEqual({ text: "", truncated: true });
  });
});

describe("SKILLS_PROMPT_CHAR_BUDGET", () => {
  it("is a whole number, and 12000 where it is absent or empty", () => {
    const read = (value?: string): number => charBudget({ SKILLS_PROMPT_CHAR_BUDGET: value });
    expect([read(), read(""), read("0"), read("500")]).toEqual([12_000, 12_000, 0, 500]);
  });

  it.each(["-1", "1.5", "1e3", "12k", " 5", "٣", "9".repeat(20)])("refuses %j", (value) => {
    const read = (): number => charBudget({ SKILLS_PROMPT_CHAR_BUDGET: value });
    expect(read).toThrow(KnackError);
    expect(read).toThrow(/SKILLS_PROMPT_CHAR_BUDGET.*whole number/);
  });
});
