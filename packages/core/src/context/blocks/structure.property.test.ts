import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { type CatalogBlock, renderCatalogBlock, renderSkillList, type SkillList } from "./catalog-block.ts";
import { escapePath, escapeWrapperTags, escapeXml, oneLine } from "./escape.ts";
import { renderSkillBlock } from "./skill-block.ts";

/** Promise 7, structure: nothing in a skill closes, forges or leaves its block. At least so many cases of each block. */
const RUNS = cases(20_000);

const WRAPPERS = ["skill_context", "skill_files", "skills_context", "skills_catalog", "skills_usage"];
const ELEMENTS = ["skill", "name", "description", "path", "scope", "rule", "file"];

/** What wants to break out: tags, pieces of tags, gaps, other forms of the same letters, markup of all kinds. */
const wide = (text: string): string =>
  text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
const tags = [...WRAPPERS, ...ELEMENTS].flatMap((name) => [`<${name}>`, `</${name}>`, `</${name}`, name]);
const GAPS =
  " \n\r\t\v\f\u0000\u001b\u0085\u00ad\u034f\u061c\u200b\u200d\u2028\u2029\u202e\u2800\u3164\ufe0f\ufeff";
const SIGNS = "<>/\\\"'&;#=_-?!…＜＞／＼＿＂＇＆﹤﹥\u0301\u0338\ufffd\ud800\udc00ﬁſKtT技😀";
const fragment = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...tags, ...tags.map(wide), ...tags.map((tag) => tag.toUpperCase())),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...GAPS, ...SIGNS, "\u{e0041}", "\u{e0101}", "&lt;", "&#60;", "]]>", "<!--"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("- ", "$ARGUMENTS", "Base directory: file:///x/", 'truncated="true"'),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
);
const hostile = fc.array(fragment, { maxLength: 12 }).map((fragments) => fragments.join(""));
/** A tag with something between its letters. */
const spread = fc
  .tuple(fc.constantFrom(...tags), fc.constantFrom(...GAPS, "\u{e0041}", "\u0301", "x"), fc.nat(20))
  .map(([tag, gap, at]) => `${tag.slice(0, at)}${gap}${tag.slice(at)}`);
const text = fc.oneof(
  hostile,
  spread,
  fc.tuple(spread, hostile).map(([a, b]) => a + b),
);

const skill: fc.Arbitrary<SkillMetadata> = fc
  .record({ name: text, description: text, path: text, scope: fc.constantFrom("repo", "user", "bundled") })
  .map((fields) => ({ ...fields, id: "x", dir: "/", mtimeMs: 0, dialect: "lily" as const }));
/** In the order in which a list is cut. */
const SCOPES = ["repo", "user", "bundled"];
const skills = fc
  .array(skill, { maxLength: 5 })
  .map((all) => all.toSorted((one, other) => SCOPES.indexOf(one.scope) - SCOPES.indexOf(other.scope)));

/** Two ways to read that are kinder than any parser: all forms of a letter alike, case and gaps of no meaning. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
function kindReadings(block: string): string[] {
  const fold = (read: string): string => read.normalize("NFKC").toLowerCase();
  return [fold(block).replace(INVISIBLE, ""), fold(block.replace(INVISIBLE, ""))];
}

function expectTags(block: string, counts: Readonly<Record<string, number>>): void {
  for (const reading of kindReadings(block)) {
    for (const [name, count] of Object.entries(counts)) {
      expect(reading.split(`<${name}`).length - 1, `<${name} in ${block}`).toBe(count);
      expect([...reading.matchAll(new RegExp(String.raw`<[/\\]+${name}`, "g"))].length, `</${name}`).toBe(
        count,
      );
    }
  }
}

function unescapeXml(escaped: string): string {
  const plain: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return escaped.replace(/&(?:#(\d+)|(\w+));/g, (_all, code, word) =>
    code === undefined ? (plain[word] ?? expect.fail(word)) : String.fromCodePoint(Number(code)),
  );
}

interface ParsedSkill {
  readonly name: string;
  readonly description: string | undefined;
  readonly path: string;
  readonly scope: string;
}

/** Reads a catalog line by line and accepts nothing but the layout of document 004 §6.1. */
function parseCatalog(block: string): { truncated: boolean; skills: ParsedSkill[]; rules: string[] } {
  const lines = block.split(/[\n\r\v\f\u0085\u2028\u2029]/);
  const next = (pattern: RegExp): string => {
    const line = lines.shift() ?? "";
    return pattern.exec(line)?.[1] ?? expect.fail(`${JSON.stringify(line)} is not ${pattern}`);
  };
  const rules: string[] = [];
  const found: ParsedSkill[] = [];
  next(/^(<skills_context>)$/);
  next(/^(<skills_usage>)$/);
  while (lines[0]?.startsWith("  <rule>")) rules.push(next(/^ {2}<rule>([^<>&]+)<\/rule>$/));
  next(/^(<\/skills_usage>)$/);
  const truncated = next(/^<skills_catalog scope="initial" truncated="(true|false)">$/) === "true";
  while (lines[0] === "  <skill>") {
    next(/^( {2}<skill>)$/);
    const name = unescapeXml(next(/^ {4}<name>([^<>"']*)<\/name>$/));
    const described = lines[0]?.startsWith("    <description>");
    const description = described
      ? unescapeXml(next(/^ {4}<description>([^<>"']+)<\/description>$/))
      : undefined;
    const path = unescapeXml(next(/^ {4}<path>([^<>"']*)<\/path>$/));
    found.push({ name, description, path, scope: next(/^ {4}<scope>(repo|user|bundled)<\/scope>$/) });
    next(/^( {2}<\/skill>)$/);
  }
  next(/^(<\/skills_catalog>)$/);
  next(/^(<\/skills_context>)$/);
  expect(lines).toEqual([]);
  return { truncated, skills: found, rules };
}

const isPieceOf = (piece: string, whole: string): boolean =>
  piece === whole || (piece.endsWith("…") && whole.startsWith(piece.slice(0, -1)));

describe("004 §6.1 the structure of the catalog block", () => {
  const budget = fc.oneof(fc.constant(32_768), fc.nat(3_000));

  it("holds whatever names, descriptions and paths say", () => {
    fc.assert(
      fc.property(skills, budget, fc.nat(6), (given, maxBytes, maxEntries) => {
        const block = renderCatalogBlock(given, { maxEntries, maxBytes });
        expect(block.bytes).toBe(Buffer.byteLength(block.text));
        expect(block.bytes).toBeLessThanOrEqual(maxBytes);
        expect(block.text.isWellFormed()).toBe(true);
        if (block.text === "") return;
        const parsed = parseCatalog(block.text);
        expect(parsed.truncated).toBe(block.truncated);
        expect(parsed.rules.some((rule) => rule.includes("skill_search"))).toBe(block.truncated);
        expect(parsed.skills).toHaveLength(block.shown);
        for (const [at, entry] of parsed.skills.entries()) {
          const source = given[at] ?? expect.fail("more entries than skills");
          expect(entry).toMatchObject({ name: oneLine(source.name), path: source.path, scope: source.scope });
          const description = oneLine(source.description);
          if (entry.description !== undefined) expect(isPieceOf(entry.description, description)).toBe(true);
          if (!block.truncated) expect(entry.description ?? "").toBe(description);
        }
        expectTags(block.text, {
          skills_context: 1,
          skills_usage: 1,
          skills_catalog: 1,
          "skill>": block.shown,
          name: block.shown,
          path: block.shown,
          skill_context: 0,
          skill_files: 0,
          file: 0,
        });
      }),
      { numRuns: RUNS },
    );
  });

  it("shows no less for a larger budget, and the same for the same", () => {
    const shownBy = ({ text }: CatalogBlock): ParsedSkill[] => (text === "" ? [] : parseCatalog(text).skills);
    fc.assert(
      fc.property(skills, fc.nat(2_500), fc.nat(300), (given, maxBytes, more) => {
        const [small, same, large] = [maxBytes, maxBytes, maxBytes + more].map((bytes) =>
          renderCatalogBlock(given, { maxEntries: 9, maxBytes: bytes }),
        ) as [CatalogBlock, CatalogBlock, CatalogBlock];
        expect(same).toEqual(small);
        expect(large.shown).toBeGreaterThanOrEqual(small.shown);
        const longer = shownBy(large);
        for (const [at, { description = "" }] of shownBy(small).entries())
          expect(longer[at]?.description?.length ?? 0).toBeGreaterThanOrEqual(description.length);
      }),
      { numRuns: RUNS / 4 },
    );
  });
});

describe("001 the structure of the skill list", () => {
  it("has a line for each skill it lists, within its budget, and no less for a larger one", () => {
    fc.assert(
      fc.property(skills, fc.nat(400), fc.nat(100), (given, budget, more) => {
        const small = renderSkillList(given, { maxChars: budget });
        const large = renderSkillList(given, { maxChars: budget + more });
        expect(small.text.length).toBeLessThanOrEqual(budget);
        const entries = (list: SkillList): string[] =>
          list.text === ""
            ? []
            : list.text.split(/[\n\r\v\f\u0085\u2028\u2029]/).slice(0, list.truncated ? -1 : undefined);
        for (const [at, line] of entries(small).entries()) {
          expect(line.startsWith(`- ${escapeXml(oneLine(given[at]?.name ?? ""))}`)).toBe(true);
          expect(entries(large)[at]?.length).toBeGreaterThanOrEqual(line.length);
        }
        if (small.truncated && small.text !== "")
          expect(small.text.split("\n").at(-1)).toMatch(/skill_search/);
        expectTags(small.text, Object.fromEntries(WRAPPERS.map((name) => [name, 0])));
      }),
      { numRuns: RUNS },
    );
  });
});

describe("004 §6.2 the structure of a loaded skill", () => {
  it("holds whatever name, path, body and files say", () => {
    const files = fc.array(text, { maxLength: 3 });
    const omitted = fc.array(fc.record({ path: text, size: fc.nat() }), { maxLength: 3 });
    fc.assert(
      fc.property(text, text, text, files, omitted, (name, path, body, listed, others) => {
        const listing = { files: listed, omitted: others, omittedCount: others.length };
        const block = renderSkillBlock({ name, path, dir: `/${path}`, body, ...listing });
        const [, nameRead = "", pathRead = ""] =
          /^<skill_context name="([^<>"'\n]*)" path="([^<>"'\n]*)">\n/.exec(block) ?? expect.fail(block);
        expect(unescapeXml(nameRead)).toBe(oneLine(name));
        expect(unescapeXml(pathRead)).toBe(path);
        const rest = block.slice(`<skill_context name="${nameRead}" path="${pathRead}">\n`.length);
        const served = escapeWrapperTags(body);
        expect(rest.startsWith(served)).toBe(true);
        const tail = rest.slice(served.length).split("\n");
        while (tail[0] === "") tail.shift();
        expect(tail.shift()).toMatch(
          /^Base directory: file:\/\/\/[!#-%(-;=?-~]*\/$|^Base directory: file:\/\/\/$/,
        );
        expect(tail.shift()).toBe("Relative paths in this skill are resolved from this directory.");
        expect(tail.pop()).toBe("</skill_context>");
        const withFiles = listed.length + others.length > 0;
        if (withFiles) expect([tail.shift(), tail.pop()]).toEqual(["<skill_files>", "</skill_files>"]);
        expect(tail.splice(0, listed.length)).toEqual(
          listed.map((file) => `<file>${escapePath(file)}</file>`),
        );
        expect(tail).toEqual(others.length > 0 ? [expect.stringMatching(/^\d more files? [^<>]*\.$/)] : []);
        expectTags(block, {
          skill_context: 1,
          skill_files: withFiles ? 1 : 0,
          skills_context: 0,
          skills_catalog: 0,
          skills_usage: 0,
        });
      }),
      { numRuns: RUNS },
    );
  });

  it("changes no character of a body but the first of a tag", () => {
    const opened = (body: string): string => body.replace(/[<＜﹤]/g, "&lt;");
    fc.assert(
      fc.property(text, (body) => {
        const served = escapeWrapperTags(body);
        expect(escapeWrapperTags(served)).toBe(served);
        expect(opened(served)).toBe(opened(body));
      }),
      { numRuns: RUNS },
    );
  });

  it("knows every character of Unicode that a kind reader takes for a gap or a letter of a tag", () => {
    const letters = new Set(["", ...WRAPPERS.join("/<"), "fi"]);
    let found = 0;
    for (let code = 0; code < 0x110000; code++) {
      const character = String.fromCodePoint(code);
      for (const read of new Set(kindReadings(character))) {
        if (!letters.has(read)) continue;
        found++;
        const tag = WRAPPERS.map((name) => `</${name}`).join("");
        const forged =
          read === ""
            ? `<${character}/${character}s${character}kill_context`
            : tag.replaceAll(read, character);
        expectTags(escapeWrapperTags(forged), Object.fromEntries(WRAPPERS.map((name) => [name, 0])));
      }
    }
    expect(found).toBeGreaterThan(4_000);
  });
});
