import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCatalog } from "../open-catalog.ts";
import { cases } from "../shared/testing/cases.ts";
import { within } from "../shared/testing/within.ts";
import { makeFolder, skillText } from "../testing/index.ts";
import { compilePattern, formsOf } from "./pattern.ts";
import { route } from "./route.ts";
import { loadRouting, readRouting } from "./routing-file.ts";

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
      "^(a+)+$",
      "(\\w+\\s?)*$",
      "(.*a){20}",
      "(a|a)*$",
      "(a|b|ab)*c",
      "([a-z]+)*=",
      "(.*)*x",
      "(x+x+)+y",
      "(.{0,40}){3}z",
    ];
    const requests = [
      `${"a".repeat(28)}!`,
      "a".repeat(1_000_000),
      "ab ".repeat(100_000),
      "\u0301".repeat(100_000),
      "xx".repeat(50_000),
    ];
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
      "repo/.git/": "",
      "repo/.agents/skills/one/SKILL.md": skillText("one", "Review a change."),
      "repo/.agents/routing.yaml":
        "version: 1\ndefault: {role: oracle, skill: one, reason: r}\nroutes: [{id: a, role: fixer, skill: one, reason: r, patterns: ['^(a+)+$', '審']}]\n",
    });
    const catalog = await openCatalog({
      cwd: folder.at("repo"),
      home: folder.at("home"),
      env: {},
      cache: false,
    });
    const place = { routing: loadRouting(catalog, true), catalog };
    fc.assert(
      fc.property(text, (request) => {
        const answer = route(request, place);
        expect(["rule", "search", "default"]).toContain(answer.source);
        expect(answer.skill).toBe("one");
        expect(answer.matched.length).toBeLessThanOrEqual(8);
        for (const word of answer.matched) expect(word.length).toBeLessThanOrEqual(60);
        expect(route(request, place)).toEqual(answer);
      }),
      { numRuns: cases(500, 10) },
    );
  });
});
