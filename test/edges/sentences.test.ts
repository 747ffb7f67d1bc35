import { describe, expect, it } from "vitest";
import { edgesOf } from "../../packages/core/src/graph/read-edges.ts";
import { makeSkillIndex } from "../../packages/core/src/graph/skill-index.ts";
import { blocksIn } from "./blocks.ts";
import { skillNamed } from "./skill-named.ts";

/**
 * Ways in which authors say what a skill needs, in English, Chinese and Japanese, each written and labelled before the
 * program saw it. `sentences.txt` has those that it reads correctly, `missed.txt` those that it takes for a mention. A case
 * begins with `=== names label; names label`; the labels are now, later, alt (one of several), ref and none (nothing that
 * would run).
 */
interface Case {
  readonly wanted: ReadonlyMap<string, string>;
  readonly text: string;
}

const own = skillNamed("own-skill");
const sentences = casesOf("sentences.txt");
const missed = casesOf("missed.txt");
const names = new Set([...sentences, ...missed].flatMap(({ wanted }) => [...wanted.keys()]));
const index = makeSkillIndex([own, ...[...names].map((name) => skillNamed(name))]);

describe("what authors write", () => {
  it.each(sentences)("$text", ({ wanted, text }) => {
    expect(read(text, wanted)).toEqual(new Map([...wanted].map(([name, label]) => [name, runs(label)])));
  });
});

describe("what is missed is a mention", () => {
  it.each(missed)("$text", ({ wanted, text }) => {
    expect(read(text, wanted)).toEqual(new Map([...wanted.keys()].map((name) => [name, "nothing"])));
  });
});

function casesOf(file: string): Case[] {
  return blocksIn(file).map((block) => {
    const [labels = "", ...lines] = block.split("\n");
    const wanted = new Map<string, string>();
    for (const [, said = "", label = ""] of labels.matchAll(/([\w,-]+) (\w+)/g))
      for (const name of said.split(",")) wanted.set(name, label);
    return { wanted, text: lines.join("\n").trim() };
  });
}

/** The edges to the skills that a case names, and to any other that would run. */
function read(text: string, wanted: Case["wanted"]): Map<string, string> {
  const found = new Map([...wanted.keys()].map((name) => [name, "nothing"]));
  for (const { from, to, type, alternative } of edgesOf(own, text, index).edges) {
    if (from !== own.name || type === "reference_only") {
      if (alternative && wanted.get(to) === "alt") found.set(to, "alt");
      continue;
    }
    found.set(to, alternative ? "alt" : type === "requires_now" ? "now" : "later");
  }
  return found;
}

function runs(label: string): string {
  return label === "ref" || label === "none" ? "nothing" : label;
}
