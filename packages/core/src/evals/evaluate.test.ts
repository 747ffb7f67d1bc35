import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillNamed as skill } from "../../../../test/edges/skill-named.ts";
import { cases } from "../shared/testing/cases.ts";
import { makeFolder, skillText } from "../testing/index.ts";
import { evaluateTriggers, reportSkills, scoreOutcomes } from "./evaluate.ts";
import { readTriggerCases, type TriggerCase } from "./trigger-cases.ts";

const RUNS = cases(1000);

const NAMES = ["a", "b", "c", "d"];

function triggerCase(name: string, prompt: string, shouldTrigger = true): TriggerCase {
  return { skill: skill(name), prompt, shouldTrigger, source: `/skills/${name}/triggers.yaml`, index: 0 };
}

/** A search whose answer is the prompt itself: "b a" finds b first and a second. */
function search(prompt: string, limit: number): ReturnType<typeof found>[] {
  const names = prompt.split(" ").filter((name) => name !== "");
  return names.slice(0, limit).map((name) => found(skill(name)));
}

function found(skill: { name: string; path: string }) {
  return { skill, score: 0.5, reason: "token_overlap", matched: [skill.name] };
}

describe("knack eval: hit@1, recall@k and false triggers", () => {
  it("asks for k results with the prompt as it was written", () => {
    const asked: [string, number][] = [];
    const ask = (prompt: string, limit: number): [] => {
      asked.push([prompt, limit]);
      return [];
    };
    evaluateTriggers([triggerCase("a", " what? ")], ask, 7);
    expect(asked).toEqual([[" what? ", 7]]);
  });

  it.each([
    [
      "a b c|b a c|b c d a|b",
      true,
      3,
      { hit_at_1: 0.25, recall_at_k: 0.5, positives: 4 },
      "1+ 2- null- null-",
    ],
    ["a b|b a|b|", false, 8, { hit_at_1: 1, recall_at_k: 1, false_triggers: 1 }, "1- 2+ null+ null+"],
  ])(
    "counts of %j (positive: %s) what is first, and what is among the first %i",
    (prompts, isPositive, k, score, ranks) => {
      const cases = prompts.split("|").map((prompt) => triggerCase("a", prompt, isPositive));
      const evaluation = evaluateTriggers(cases, search, k);
      expect(evaluation).toMatchObject({ ...score, k });
      expect(evaluation.cases.map(({ rank, ok }) => `${rank}${ok ? "+" : "-"}`).join(" ")).toBe(ranks);
    },
  );

  it("rounds to four places", () => {
    const cases = ["a", "a", "b"].map((prompt) => triggerCase("a", prompt));
    expect(evaluateTriggers(cases, search, 1)).toMatchObject({ hit_at_1: 0.6667, recall_at_k: 0.6667 });
  });

  it("is perfect where there is nothing to find", () => {
    const none = { positives: 0, taken: 0, negatives: 0, false_triggers: 0, cases: [] };
    expect(evaluateTriggers([], search, 8)).toEqual({ hit_at_1: 1, recall_at_k: 1, k: 8, ...none });
  });

  it("tells two skills of one name apart", () => {
    const both = [found(skill("a", "/other/a")), found(skill("a"))];
    const { cases } = evaluateTriggers([triggerCase("a", "a")], () => both, 8);
    expect(cases[0]?.rank).toBe(2);
  });

  it("does not count what a search gives beyond its limit", () => {
    const all = NAMES.map((name) => found(skill(name)));
    expect(evaluateTriggers([triggerCase("c", "")], () => all, 2).cases[0]?.rank).toBeNull();
  });

  it("evaluates what stands in real files", async () => {
    using folder = makeFolder({
      "a/SKILL.md": skillText("a"),
      "a/triggers.yaml": "should_trigger: [a b, b a]\nshould_not_trigger: [b]\n",
    });
    const { cases } = await readTriggerCases(skill("a", folder.at("a")));
    const inFolder = (prompt: string) =>
      prompt.split(" ").map((name) => found({ name, path: folder.at(name, "SKILL.md") }));
    const [a, b] = ["a", "b"].map((name) => ({ skill: name, path: folder.at(name, "SKILL.md") }));
    const shown = (...of: (typeof a)[]) =>
      of.map((one) => ({ ...one, score: 0.5, reason: "token_overlap", matched: [one?.skill] }));
    const own = { ...a, source: folder.at("a/triggers.yaml") };
    const positive = { ...own, should_trigger: true };
    const first = { ...positive, prompt: "a b", rank: 1, ok: true, found: shown(a, b), taken_by: null };
    const second = { ...positive, prompt: "b a", rank: 2, ok: false, found: shown(b, a), taken_by: b?.path };
    const negative = { ...own, should_trigger: false, prompt: "b", rank: null, ok: true };
    expect(evaluateTriggers(cases, inFolder, 8)).toEqual({
      ...{ hit_at_1: 0.5, recall_at_k: 1, false_triggers: 1, taken: 1, k: 8, positives: 2, negatives: 1 },
      cases: [first, second, { ...negative, found: shown(b), taken_by: null }],
    });
  });

  it("counts a prompt that another skill takes as a false trigger of that skill", () => {
    const evaluation = evaluateTriggers([triggerCase("a", "b a"), triggerCase("b", "b")], search, 8);
    expect(evaluation).toMatchObject({ false_triggers: 1, taken: 1, hit_at_1: 0.5 });
    expect(evaluation.cases.map(({ taken_by }) => taken_by)).toEqual(["/skills/b/SKILL.md", null]);
    expect(reportSkills(evaluation)).toMatchObject([
      { skill: "a", lost: [{ prompt: "b a", rank: 2, to: { skill: "b" } }], took: [], false_triggers: 0 },
      { skill: "b", lost: [], took: [{ prompt: "b a", skill: "a" }], false_triggers: 1 },
    ]);
  });

  it("lets two skills share a prompt: neither takes it from the other", () => {
    const evaluation = evaluateTriggers(
      [triggerCase("a", "b a"), triggerCase("b", " B A")],
      (prompt, limit) => search(prompt.trim().toLowerCase(), limit),
      8,
    );
    expect(evaluation).toMatchObject({ false_triggers: 0, hit_at_1: 0.5 });
  });

  it("reports a skill without trigger cases that takes a prompt, and a lost prompt that finds nothing", () => {
    const reports = reportSkills(evaluateTriggers([triggerCase("a", "c"), triggerCase("a", "")], search, 8));
    expect(reports).toMatchObject([
      { skill: "a", positives: 2, lost: [{ to: { skill: "c" } }, { to: null }] },
      { skill: "c", positives: 0, negatives: 0, false_triggers: 1, took: [{ skill: "a", prompt: "c" }] },
    ]);
  });

  it("keeps the first three results, and the skill itself where it comes later", () => {
    const { cases } = evaluateTriggers([triggerCase("a", "b c d x a y")], search, 8);
    expect(cases[0]?.found.map(({ skill }) => skill)).toEqual(["b", "c", "d", "a"]);
  });
});

describe("every evaluation", () => {
  const name = fc.constantFrom(...NAMES);
  const prompt = fc.uniqueArray(name).map((names) => names.join(" "));
  const cases = fc.array(fc.tuple(name, prompt, fc.boolean()).map((values) => triggerCase(...values)));

  it("keeps its cases and its bounds, finds no less with a larger k, and is the sum of its skills", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 5 }), (given, limit) => {
        const whole = evaluateTriggers(given, search, limit);
        expect(whole.cases.map(({ path, prompt, should_trigger }) => [path, prompt, should_trigger])).toEqual(
          given.map(({ skill, prompt, shouldTrigger }) => [skill.path, prompt, shouldTrigger]),
        );
        expect(whole.positives + whole.negatives).toBe(given.length);
        expect(whole.hit_at_1).toBeGreaterThanOrEqual(0);
        expect(whole.hit_at_1).toBeLessThanOrEqual(whole.recall_at_k);
        expect(whole.recall_at_k).toBeLessThanOrEqual(1);
        // A prompt that another skill takes is a false trigger too.
        expect(whole.false_triggers - whole.taken).toBeLessThanOrEqual(whole.negatives);
        expect(whole.taken).toBeLessThanOrEqual(whole.positives);
        for (const { rank, ok, should_trigger } of whole.cases) {
          if (rank !== null) expect(rank).toSatisfy((n: number) => n >= 1 && n <= limit);
          expect(ok).toBe((rank === 1) === should_trigger);
        }
        expect(whole.cases.every(({ ok }) => ok)).toBe(whole.hit_at_1 === 1 && whole.false_triggers === 0);

        const larger = evaluateTriggers(given, search, limit + 1);
        expect([larger.hit_at_1, larger.false_triggers]).toEqual([whole.hit_at_1, whole.false_triggers]);
        expect(larger.recall_at_k).toBeGreaterThanOrEqual(whole.recall_at_k);
        for (const [at, { rank }] of whole.cases.entries())
          if (rank !== null) expect(larger.cases[at]?.rank).toBe(rank);

        const parts = NAMES.map((wanted) =>
          scoreOutcomes(whole.cases.filter(({ skill }) => skill === wanted)),
        );
        for (const key of ["positives", "negatives", "false_triggers"] as const)
          expect(parts.reduce((total, part) => total + part[key], 0)).toBe(whole[key]);
        const reported = reportSkills(whole).reduce((total, report) => total + report.false_triggers, 0);
        expect(reported).toBe(whole.false_triggers);
      }),
      { numRuns: RUNS },
    );
  });
});
