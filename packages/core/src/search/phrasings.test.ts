import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCatalog } from "../open-catalog.ts";
import { cases } from "../shared/testing/cases.ts";
import { makeFolder, skillText } from "../testing/index.ts";

const SKILLS = {
  notes: "Write release notes from the commits of a version.",
  bird: "Release an injured bird into the wild.",
  invoice: "Send an invoice to a customer and remind them of late payment.",
  cake: "Bake a cake with chocolate and butter.",
  review: "Review a pull request for bugs and style.",
  "review-docs": "Review documentation for mistakes.",
};

async function open() {
  const folder = makeFolder(
    Object.fromEntries(
      Object.entries(SKILLS).map(([name, description]) => [
        `skills/${name}/SKILL.md`,
        skillText(name, description),
      ]),
    ),
  );
  const catalog = await openCatalog({
    cwd: folder.at("skills"),
    roots: [{ path: folder.at("skills") }],
    cache: false,
    env: {},
    home: folder.at("home"),
  });
  const names = (query: string, also: string[], all = false): string[] =>
    catalog
      .search(query, { also })
      .results.filter(({ fits }) => fits || all)
      .map(({ skill }) => skill.name);
  return { catalog, names, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("search with other phrasings", () => {
  it("finds with an English phrasing what a query in another language does not find", async () => {
    using opened = await open();
    const query = "請幫我把帳單寄給客人";
    expect(opened.names(query, [])).toEqual([]);
    expect(opened.names(query, ["send an invoice to the customer"])[0]).toBe("invoice");
  });

  it("lets a query in another language that nothing fits cost its English phrasing nothing", async () => {
    using opened = await open();
    // It has words of two skills, in a sentence about something else.
    const query =
      "Wie kann ich meinen Kollegen sagen, dass sie das im release und im commit nicht vergessen?";
    const english = "bake a cake with chocolate";
    expect(opened.names(query, [])).toEqual([]);
    expect(opened.names(query, [], true)).not.toContain("cake");
    const alone = opened.catalog.search(english);
    expect(opened.catalog.search(query, { also: [english] })).toEqual(alone);
    expect(alone.results[0]).toMatchObject({ skill: { name: "cake" }, fits: true });
  });

  it("keeps the first result in the face of a phrasing about something else", async () => {
    using opened = await open();
    const query = "write the release notes of this version";
    expect(opened.names(query, ["bake a cake with butter"])[0]).toBe("notes");
  });

  it("finds what only the other phrasings say", async () => {
    using opened = await open();
    const query = "tell people about the new version";
    expect(opened.names(query, ["remind them of a late payment", "send the invoice again"])[0]).toBe(
      "invoice",
    );
  });

  it("lets no short phrasing fit by a single word", async () => {
    using opened = await open();
    const query = "How do I get red wine out of the sofa?";
    expect(opened.names(query, ["wild wine", "red sofa style"])).toEqual([]);
    expect(opened.names("wild wine", [])).toEqual(["bird"]);
  });

  it("lets nothing fit that only one of several phrasings comes near", async () => {
    using opened = await open();
    const query = "How do I get red wine out of the sofa?";
    const poor = "bake the couch with butter";
    expect(opened.names(poor, [])).toEqual(["cake"]);
    const also = ["remove a stain from a couch", "clean the upholstery", "spilled drink on the seat", poor];
    expect(opened.names(query, also)).toEqual([]);
  });

  it("004 §5.5: a name in the query stays first, in the order of the reasons", async () => {
    using opened = await open();
    expect(opened.names("cake", ["send an invoice to a customer"])[0]).toBe("cake");
    const { results } = opened.catalog.search("review", { also: ["check the documentation for mistakes"] });
    expect(results.slice(0, 2).map(({ skill, reason }) => [skill.name, reason])).toEqual([
      ["review", "exact_name"],
      ["review-docs", "prefix"],
    ]);
  });

  it("does not take a name in another phrasing for the name of what is asked", async () => {
    using opened = await open();
    const { results } = opened.catalog.search("write the release notes of this version", { also: ["cake"] });
    expect(results.map(({ reason }) => reason)).not.toContain("exact_name");
    expect(results[0]?.skill.name).toBe("notes");
  });

  it("shows the words of every phrasing that the skill has", async () => {
    using opened = await open();
    const { results } = opened.catalog.search("late payment", { also: ["remind a customer"] });
    expect(results[0]?.matched).toEqual(expect.arrayContaining(["late", "payment", "remind", "customer"]));
  });

  it("refuses more than four phrasings, and what is not text", async () => {
    using opened = await open();
    expect(() => opened.names("x", ["1", "2", "3", "4", "5"])).toThrow("At most 4");
    expect(() => opened.names("x", [1] as unknown as string[])).toThrow("must be a list of texts");
    expect(opened.names("cake", ["1", "2", "3", "4"])[0]).toBe("cake");
  });

  it("says whether there are more than the limit", async () => {
    using opened = await open();
    const { results, count, truncated } = opened.catalog.search("release notes", {
      also: ["review a pull request", "bake a cake"],
      limit: 2,
    });
    expect([results.length, count, truncated]).toEqual([2, 2, true]);
  });
});

describe("every search with phrasings", () => {
  const word = fc.constantFrom(
    ...new Set(Object.values(SKILLS).flatMap((text) => text.split(/\W+/))),
    "審查",
    "",
  );
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));

  it("is the same without other phrasings, with empty ones and with the query again", async () => {
    using opened = await open();
    fc.assert(
      fc.property(text, (query) => {
        const plain = JSON.stringify(opened.catalog.search(query));
        for (const also of [[], [""], [" "], [query], [` ${query}`, query]])
          expect(JSON.stringify(opened.catalog.search(query, { also }))).toBe(plain);
      }),
      { numRuns: cases(300) },
    );
  });

  it("has each skill once, by reason and then by score", async () => {
    using opened = await open();
    const order = ["exact_path", "exact_name", "prefix", "words"];
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 4 }), (query, also) => {
        const { results, count } = opened.catalog.search(query, { also });
        expect(count).toBe(results.length);
        expect(new Set(results.map(({ skill }) => skill.path)).size).toBe(count);
        const keys = results.map(({ reason, score }) => {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          return [order.indexOf(order.includes(reason) ? reason : "words"), -score] as const;
        });
        keys.slice(1).forEach((key, i) => {
          const before = keys[i] ?? key;
          expect(before[0] < key[0] || (before[0] === key[0] && before[1] <= key[1])).toBe(true);
        });
      }),
      { numRuns: cases(300) },
    );
  });
});
