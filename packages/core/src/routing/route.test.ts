import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openRepo } from "../catalog/testing/open-repo.ts";
import type { SearchReason, SearchResult } from "../search/search.ts";
import { cases } from "../shared/testing/cases.ts";
import { within } from "../shared/testing/within.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { makeFolder, skillText } from "../testing/index.ts";
import { compilePattern, formsOf } from "./pattern.ts";
import { confidentResult, type RouteAnswer, routeToSkill } from "./route.ts";
import { loadRouting, readRouting } from "./routing-file.ts";

const SKILLS = {
  "repo/.agents/skills/debug/SKILL.md": skillText(
    "debug",
    "Find the root cause of a bug before code is changed. Use for a crash, an exception, a failing test, a hang or a memory leak.",
  ),
  "repo/.agents/skills/review/SKILL.md": skillText("review", "Judge a change before it is merged."),
  "repo/.agents/skills/kept/SKILL.md": skillText(
    "kept",
    "Polish brass doorknobs.",
    "disable-model-invocation: true\n",
  ),
  "home/.agents/skills/sourdough/SKILL.md": skillText(
    "sourdough",
    "Bake sourdough bread from a rye starter.",
  ),
};

const RULES = `version: 1
default: { role: explorer, skill: sourdough, reason: nothing else }
routes:
  - { id: review, role: oracle, skill: review, reason: judged first, patterns: ['審查|审查', '\\breview\\b'] }
  - { id: debug, role: fixer, skill: debug, reason: cause first, priority: 5, patterns: [debug, '除錯', 'café', 'straße'] }
  - { id: late, role: designer, skill: debug, reason: r, priority: -5, patterns: ['\\bdebug'] }
`;

async function ask(text: string, rules: string | null = RULES, trusted = true): Promise<RouteAnswer> {
  using folder = makeFolder({ ...SKILLS, ...(rules === null ? {} : { "repo/.agents/routing.yaml": rules }) });
  const catalog = await openRepo(folder, { trusted });
  return routeToSkill(text, { routing: loadRouting(catalog, trusted), catalog }).answer;
}

describe("000 §8 routing: the first rule that matches", () => {
  it("is the one of the highest priority, then the first in the file", async () => {
    expect(await ask("review and debug this")).toMatchObject({
      role: "fixer",
      skill: "debug",
      reason: "cause first",
      source: "rule",
      rule: "debug",
      matched: ["debug"],
    });
  });

  it("explains a request in two languages: the words of each rule, the others in their order", async () => {
    const answer = await ask("請審查需求文件並 debug");
    expect(answer).toMatchObject({ rule: "debug", matched: ["debug"] });
    expect(answer.others.slice(0, 2)).toEqual([
      { role: "oracle", skill: "review", source: "rule", rule: "review", matched: ["審查"], score: null },
      { role: "designer", skill: "debug", source: "rule", rule: "late", matched: ["debug"], score: null },
    ]);
  });

  it.each([
    ["any case", "DeBuG", "DeBuG"],
    ["full width", "ＤＥＢＵＧ", "DEBUG"],
    ["a decomposed letter", "cafe\u0301", "café"],
    ["a capital letter of another alphabet", "STRAẞE", "STRAẞE"],
    ["anywhere, without spaces", "請除錯這個", "除錯"],
  ])("matches %s", async (_what, text, word) => {
    expect(await ask(text)).toMatchObject({ rule: "debug", matched: [word] });
  });
});

describe("without a rule", () => {
  it("the search decides where it is sure; the role is the one that the rules use the skill in", async () => {
    expect(await ask("the failing test hangs, find the root cause")).toMatchObject({
      source: "search",
      skill: "debug",
      role: "fixer",
      rule: null,
      matched: expect.arrayContaining(["root", "cause"]),
    });
  });

  it("an exact name is sure, and a skill that no rule uses has the default's role", async () => {
    expect(await ask("sourdough", RULES)).toMatchObject({
      source: "search",
      skill: "sourdough",
      role: "explorer",
    });
  });

  it("a skill that the request names outright is chosen; two that it names are not", async () => {
    expect(await ask("use the sourdough skill for whatever comes next", RULES)).toMatchObject({
      source: "search",
      skill: "sourdough",
      reason: "No rule matches, and the request names this skill.",
    });
    const both = await ask("$sourdough or $debug, whatever comes next", RULES);
    expect(both.reason).not.toContain("names this skill");
    expect(await ask("use the kept skill for whatever comes next")).toMatchObject({ source: "default" });
  });

  it("else the default decides", async () => {
    expect(await ask("what is the weather like on mars")).toMatchObject({
      source: "default",
      role: "explorer",
      skill: "sourdough",
      reason: "nothing else",
      rule: null,
      matched: [],
    });
    expect(await ask("", null)).toMatchObject({ source: "default", skill: null });
  });

  it("a skill that is kept from models is not proposed, but a rule may name it", async () => {
    expect(await ask("polish the brass doorknobs")).toMatchObject({ source: "default" });
    const named = RULES.replace("skill: review", "skill: kept");
    expect(await ask("審查", named)).toMatchObject({ source: "rule", skill: "kept" });
  });

  it("in an untrusted project only the user's own skills are proposed, by search or not at all", async () => {
    expect(await ask("find the root cause of the failing test: debug", RULES, false)).toMatchObject({
      source: "default",
      skill: null,
      others: [],
    });
    expect(await ask("bake sourdough bread", RULES, false)).toMatchObject({
      source: "search",
      skill: "sourdough",
    });
  });
});

const result = (name: string, score: number, more: Partial<SearchResult> = {}): SearchResult => ({
  skill: { name, description: name, path: `/${name}/SKILL.md` } as SkillMetadata,
  score,
  reason: "token_overlap",
  matched: [],
  fits: true,
  ...more,
});
const sureOf = (results: readonly SearchResult[], truncated = false): string | undefined =>
  confidentResult({
    results,
    count: results.length,
    fitting: results.filter(({ fits }) => fits).length,
    truncated,
  })?.skill.name;
const named = (reason: SearchReason): Partial<SearchResult> => ({ reason });
const near = { fits: false };

describe("a search is sure", () => {
  it("if the best has 0.85 or more and is 0.3 ahead of the next", () => {
    expect(sureOf([result("a", 0.85), result("b", 0.1)])).toBe("a");
    expect(sureOf([result("a", 0.84), result("b", 0)])).toBeUndefined();
    expect(sureOf([result("a", 0.9, named("prefix")), result("b", 0.61, named("prefix"))])).toBeUndefined();
    expect(sureOf([result("a", 0.85)])).toBe("a");
  });

  it("of an exact name, unless two skills have it", () => {
    expect(sureOf([result("a", 1, named("exact_name")), result("b", 0.9)])).toBe("a");
    const other = result("a", 1, {
      ...named("exact_name"),
      skill: { name: "a", description: "z" } as SkillMetadata,
    });
    expect(sureOf([result("a", 1, named("exact_name")), other])).toBeUndefined();
  });

  it("although there are copies of the best, but not where only copies were seen of more", () => {
    expect(sureOf([result("a", 0.45), result("a", 0.45), result("b", 0.1)])).toBe("a");
    expect(sureOf([result("a", 0.4), result("b", 0.3), result("a", 0.1)])).toBeUndefined();
    expect(sureOf([result("a", 0.9), result("a", 0.9)], true)).toBeUndefined();
  });

  it("never of what does not fit, nor of nothing", () => {
    expect(sureOf([result("a", 0.99, near)])).toBeUndefined();
    expect(sureOf([])).toBeUndefined();
  });
});

const runs = cases(2_000);
const unit = fc.constantFrom(
  ..."a|b|.|\\w|\\s|\\d|\\b|^|$|(|)|[|]|{|}|{0,9}|{1000}|*|+|?|+?|||\\1|(?=|(?<=|(?<n>|(?i)|\\p{L}|\\p{Han}|[^a]|審|é|ß|\\|/|-|,|!|\u0301|\ud800".split(
    "|",
  ),
  "|",
);
const pattern = fc.array(unit, { maxLength: 24 }).map((parts) => parts.join(""));
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc
    .tuple(fc.constantFrom("a", "ab", "a ", "審", "e\u0301", "\u0301", "(", "\ud800"), fc.nat(5_000))
    .map(([part, n]) => `${part.repeat(n)}!`),
);

describe("patterns", () => {
  it("whatever a pattern says, it is compiled or refused with a sentence, and matching never throws", () => {
    fc.assert(
      fc.property(pattern, text, (source, request) => {
        const compiled = compilePattern(source);
        if (typeof compiled === "string") expect(compiled).toMatch(/\(E_REGEX(_UNSAFE)?\)\.$/);
        else {
          const found = compiled.find(formsOf(request));
          expect(found === undefined || typeof found === "string").toBe(true);
          if (compiled.matchesAll) expect(compiled.find(formsOf("Fix it, please."))).toBeDefined();
        }
      }),
      { numRuns: runs },
    );
  });

  it("a pattern that keeps a backtracking engine busy for ages takes a moment", () => {
    const hostile = [
      ...[
        "^(a+)+$",
        "(\\w+\\s?)*$",
        "(.*a){20}",
        "(a|a)*$",
        "(a|b|ab)*c",
        "([a-z]+)*=",
        "(.*)*x",
        "(x+x+)+y",
      ],
      "(.{0,40}){3}z",
    ];
    const long = [
      "a".repeat(1_000_000),
      "ab ".repeat(100_000),
      "\u0301".repeat(100_000),
      "xx".repeat(50_000),
    ];
    const requests = [`${"a".repeat(28)}!`, ...long];
    // 45 of them; one alone would take hours. The bound is for hanging, not for speed.
    within(20_000, () => {
      for (const source of hostile) {
        const compiled = compilePattern(source);
        if (typeof compiled === "string") expect.fail(`${source}: ${compiled}`);
        else for (const request of requests) compiled.find(formsOf(request));
      }
    });
  });
});

describe("routing files", () => {
  const words = fc.constantFrom(
    ..."version: 1\n|default: {role: fixer, skill: a, reason: r}\n|routes:\n|  - id: x\n|    role: oracle\n|    skill: a\n|    reason: r\n|    patterns: [x, '(', 1]\n|    priority: 1\n|  - {}\n|  - null\n|__proto__: 1\n|&a |*a|!t |- |: |{|}|[|]|\"|\t|\u0000|\ud800|constructor: x\n|? ".split(
      "|",
    ),
  );

  it("whatever a file says, it is read or refused with lines", () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 16 }), (parts) => {
        const read = readRouting(parts.join(""), "r.yaml");
        if ("routes" in read) expect(read.default.role).toBe("fixer");
        else
          for (const { line, message } of read) expect([line > 0, message.length > 0]).toEqual([true, true]);
      }),
      { numRuns: runs },
    );
  });
});

describe("requests", () => {
  it("every request has an answer, the same one each time", async () => {
    using folder = makeFolder({
      "repo/.agents/skills/one/SKILL.md": skillText("one", "Review a change."),
      "repo/.agents/routing.yaml":
        "version: 1\ndefault: {role: oracle, skill: one, reason: r}\nroutes: [{id: a, role: fixer, skill: one, reason: r, patterns: ['^(a+)+$', '審']}]\n",
    });
    const catalog = await openRepo(folder);
    const place = { routing: loadRouting(catalog, true), catalog };
    fc.assert(
      fc.property(text, (request) => {
        const { answer } = routeToSkill(request, place);
        expect(["rule", "search", "default"]).toContain(answer.source);
        expect(answer.skill).toBe("one");
        expect(answer.matched.length).toBeLessThanOrEqual(8);
        for (const word of answer.matched) expect(word.length).toBeLessThanOrEqual(60);
        expect(routeToSkill(request, place).answer).toEqual(answer);
      }),
      { numRuns: cases(500, 10) },
    );
  });
});
