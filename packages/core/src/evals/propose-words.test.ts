import { describe, expect, it } from "vitest";
import { skillNamed } from "../../../../test/edges/skill-named.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { evaluateTriggers, type Search } from "./evaluate.ts";
import { contentWords, countStems, missingWords, proposeWords } from "./propose-words.ts";
import type { TriggerCase } from "./trigger-cases.ts";

const skill = (name: string, description: string) => skillNamed(name, `/skills/${name}`, { description });

const triggerCase = (owner: SkillMetadata, prompt: string, shouldTrigger = true): TriggerCase => ({
  skill: owner,
  prompt,
  shouldTrigger,
  source: `${owner.dir}/triggers.yaml`,
  index: 0,
});

/** The skill whose description has most words of the prompt; with fewer than one it does not fit. */
const over =
  (skills: readonly SkillMetadata[]): Search =>
  (prompt, limit) =>
    skills
      .map((one) => {
        const matched = prompt.split(" ").filter((word) => one.description.split(" ").includes(word));
        return { skill: one, score: matched.length, reason: "token_overlap", matched };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);

function propose(skills: readonly SkillMetadata[], cases: readonly TriggerCase[]) {
  let trials = 0;
  const trial = (changed: SkillMetadata, description: string): Search => {
    trials++;
    return over(skills.map((one) => (one.path === changed.path ? { ...one, description } : one)));
  };
  const evaluation = evaluateTriggers(cases, over(skills), 8);
  return { ...proposeWords(evaluation, cases, skills, trial), trials };
}

describe("knack eval: words that a description lacks", () => {
  const bills = skill("bills", "money owed");
  const mail = skill("mail", "send write");

  it("proposes what moves lost prompts to first place, the most useful first", () => {
    const prompts = ["invoice customer", "invoice reminder", "reminder dunning invoice"];
    const { proposals } = propose(
      [bills, mail],
      prompts.map((prompt) => triggerCase(bills, prompt)),
    );
    expect(proposals).toEqual([
      { skill: "bills", path: bills.path, lost: 3, words: [{ word: "invoice", gains: 3 }] },
    ]);
  });

  it("does not propose a word that takes a prompt from another skill", () => {
    const cases = [triggerCase(bills, "letter payment"), triggerCase(mail, "write letter payment payment")];
    const { proposals } = propose([bills, skill("mail", "write")], cases);
    // Both words are in the other skill's prompt, which has one word of its own: a tie that the first skill would win.
    expect(proposals[0]?.words).toEqual([]);
  });

  it("does not propose a word of the skill's own negative prompts", () => {
    const cases = [triggerCase(bills, "pay invoice"), triggerCase(bills, "print invoice", false)];
    const own = evaluateTriggers(cases, over([bills]), 8).cases;
    expect(missingWords(bills, own, countStems([bills]))).toEqual(["pay"]);
  });

  it("takes an inflected word for the word that the description has", () => {
    const own = evaluateTriggers([triggerCase(bills, "the money was owing")], over([]), 8).cases;
    expect(missingWords(skill("bills", "owe moneys"), own, countStems([]))).toEqual([]);
  });

  it("tries a bounded number of words, worst skills first, and says how many skills it left out", () => {
    const skills = Array.from({ length: 300 }, (_, at) => skill(`s${at}`, `subject${at}`));
    const cases = skills.map((one, at) =>
      triggerCase(one, `alpha${at}x beta${at}x gamma${at}x delta${at}x other`),
    );
    const { trials, proposals, skipped } = propose(skills, cases);
    expect(trials).toBeLessThanOrEqual(20);
    expect(proposals.length).toBeGreaterThan(0);
    expect(proposals.length + skipped).toBe(300);
  });
});

describe("content words of a prompt", () => {
  it("are those that say what it is about", () => {
    const words = contentWords("Please, can you send me the Invoice, it's for ACME's order 17");
    expect(words).toEqual(["send", "invoice", "order"]);
  });

  it("are words of Chinese and Japanese too", () => {
    expect(contentWords("レビューをお願いします")).toContain("レビュー");
    expect(contentWords("帮我审查代码")).toContain("代码");
  });

  it("are never thrown on", () => {
    for (const text of ["", "\ud800", "x".repeat(100_000), "<script>", "\u0000"]) contentWords(text);
  });
});
