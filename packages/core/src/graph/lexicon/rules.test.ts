import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { blocksIn } from "../../../../../test/edges/blocks.ts";
import { skillNamed } from "../../../../../test/edges/skill-named.ts";
import { within } from "../../shared/testing/within.ts";
import { edgesOf } from "../read-edges.ts";
import { makeSkillIndex } from "../skill-index.ts";
import { JA } from "./ja.ts";
import { ALL_RULES, Lexicon, lexicon } from "./lexicon.ts";
import type { Rule } from "./rule.ts";
import { ZH } from "./zh.ts";

const own = skillNamed("own-skill");
const index = makeSkillIndex([
  own,
  ...["code-review", "write-tests", "testing"].map((name) => skillNamed(name)),
]);

/**
 * `rules.txt`: after `=== id` the Markdown that a rule matches (`+`) and similar Markdown that it does not match (`-`), one
 * text a line, with `\n` for a line break.
 */
const SENTENCES = new Map(
  blocksIn("rules.txt").map((block) => {
    const [id = "", ...lines] = block.trimEnd().split("\n");
    const marked = (sign: string) =>
      lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(2).replaceAll("\\n", "\n"));
    return [id, { matches: marked("+ "), rejects: marked("- ") }] as const;
  }),
);

function sentencesOf(id: string): { matches: string[]; rejects: string[] } {
  return SENTENCES.get(id) ?? { matches: [], rejects: [] };
}

/** Whether a rule matches what the reader asks about a text, also if another one decides. */
function holdsIn(text: string, rule: Rule): boolean {
  vi.restoreAllMocks();
  const alone = new Lexicon([rule]);
  const find = vi.spyOn(lexicon, "find");
  const begins = vi.spyOn(lexicon, "begins");
  const match = vi.spyOn(lexicon, "match");
  const last = vi.spyOn(lexicon, "last");
  edgesOf(own, text, index);
  return (
    find.mock.calls.some((asked) => alone.find(...asked)) ||
    begins.mock.calls.some((asked) => alone.begins(...asked)) ||
    match.mock.calls.some((asked) => alone.match(...asked)) ||
    last.mock.calls.some((asked) => alone.last(...asked))
  );
}

/** The edges of a text if only some rules answer the reader. */
function verdict(text: string, rules: readonly Rule[]): unknown {
  const some = new Lexicon(rules);
  vi.spyOn(lexicon, "find").mockImplementation((...asked) => some.find(...asked));
  vi.spyOn(lexicon, "begins").mockImplementation((...asked) => some.begins(...asked));
  vi.spyOn(lexicon, "match").mockImplementation((...asked) => some.match(...asked));
  vi.spyOn(lexicon, "last").mockImplementation((...asked) => some.last(...asked));
  const { edges, dangling } = edgesOf(own, text, index);
  return [edges.map(({ from, to, type, alternative }) => [from, to, type, alternative]), dangling];
}

afterEach(() => vi.restoreAllMocks());

describe("every rule", () => {
  it("has an id of its own, in kebab-case", () => {
    const ids = ALL_RULES.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+(?:-[a-z]+)*$/.test(id))).toEqual([]);
  });

  it("of Chinese and Japanese says so in its id", () => {
    for (const { id } of ZH) expect(id).toMatch(/^zh-/);
    for (const { id } of JA) expect(id).toMatch(/^ja-/);
  });

  it("has sentences of its own, and no sentences are left of a rule that is gone", () => {
    expect([...SENTENCES.keys()]).toEqual(ALL_RULES.map(({ id }) => id));
  });

  it.each(ALL_RULES.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
    const { matches, rejects } = sentencesOf(id);
    expect(matches.length, "matches").toBeGreaterThan(0);
    expect(rejects.length, "rejects").toBeGreaterThan(0);
    for (const text of matches) expect(holdsIn(text, rule), text).toBe(true);
    for (const text of rejects) expect(holdsIn(text, rule), text).toBe(false);
  });

  it.each(ALL_RULES.map((rule) => [rule.id, rule] as const))("%s is needed", (id, rule) => {
    const others = ALL_RULES.filter((other) => other !== rule);
    const changed = sentencesOf(id).matches.filter(
      (text) => JSON.stringify(verdict(text, others)) !== JSON.stringify(verdict(text, ALL_RULES)),
    );
    expect(changed).not.toEqual([]);
  });
});

describe("patterns", () => {
  const folder = join(import.meta.dirname, "..");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );

  it.each(files)("of %s are written in at most 160 characters each", (file) => {
    const source = readFileSync(join(folder, file), "utf8");
    const literals = [
      ...source.matchAll(/\b(?:re|exact|piece)`([^`]*)`/g),
      ...source.matchAll(/(?<=[=(:,]\s*|^\s+)\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+)\/[a-z]*/gm),
    ].map(([, pattern = ""]) => pattern);
    expect(literals.filter(({ length }) => length > 160)).toEqual([]);
  });

  /** Input that makes a backtracking pattern slow: its own words and signs repeated. */
  const SIGNS = [" ", "-", ",", ", ", "(", "`", '"', "| "];
  const PIECES = [...SIGNS, "a", "a ", "the ", "skill ", "must ", "not ", "必須", "後", "x:"];

  it.each(ALL_RULES.map((rule) => [rule.id, rule] as const))("of %s take linear time", (_, rule) => {
    const words = sentencesOf(rule.id)
      .matches.flatMap((text) => text.split(/\s+/))
      .map((word) => `${word} `);
    for (const pattern of [...Object.values(rule.when), ...Object.values(rule.unless ?? {})])
      for (const piece of new Set([...PIECES, ...words])) {
        const text = piece.repeat(2_000 / piece.length);
        // No part of a sentence is longer than 800 characters. Cubic time would take a minute here.
        within(1_000, () => [pattern.test(text), pattern.test(`${text}\n`)]);
      }
  });
});
