/**
 * Whether the languages of the project at hand help to choose between skills that differ in the language they are for, and whether
 * they harm elsewhere:
 *
 *   node --conditions=knack-source bench/search/project.ts --skills <folder> --prompts <prompts.jsonl>
 *
 * Help: requests that name no language, asked in projects of several languages; a first result is for the project's language, for
 * another one, or for none. Harm: prompts with the skills they were written for, asked in projects of other languages.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { LANGUAGES } from "../../packages/core/src/search/project-languages.ts";
import { SkillSearch } from "../../packages/core/src/search/search.ts";
import type { SkillMetadata } from "../../packages/core/src/skill/schema.ts";
import { Corpus, readPrompts } from "./corpus.ts";

/** The languages that a skill is for: those of its name, otherwise those that its description names. */
function languagesOf({ name, description }: SkillMetadata): string[] {
  const words = new Set(name.toLowerCase().split(/[^a-z0-9]+/));
  const named = LANGUAGES.filter((language) => language.words.some((word) => words.has(word)));
  const bound = named.length > 0 ? named : LANGUAGES.filter(({ written }) => written.test(description));
  return bound.map(({ id }) => id);
}

const { values } = parseArgs({ options: { skills: { type: "string" }, prompts: { type: "string" } } });
const corpus = await Corpus.open(values.skills ?? "");
const index = corpus.indexOf(corpus.skills.map((_, i) => i));
const PROJECTS = [
  ["javascript", "typescript", "react"],
  ["python"],
  ["python", "django"],
  ["dotnet"],
  ["java", "spring"],
  ["go"],
  ["rust"],
  ["ruby", "rails"],
  ["php", "laravel"],
  ["swift"],
] as const;
const percent = (part: number, of: number): string => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`;
const requests = readFileSync(`${import.meta.dirname}/languageless.txt`, "utf8")
  .trim()
  .split("\n");
const prompts = readPrompts(values.prompts ?? "").filter(({ names_skill }) => !names_skill);

for (const knows of [false, true]) {
  let [own, other, asked, right, tried] = [0, 0, 0, 0, 0];
  for (const project of PROJECTS) {
    const search = new SkillSearch(corpus.skills, index, 50, new Set(knows ? project : []));
    for (const request of requests) {
      const [first] = search.search(request, { limit: 1 }).results;
      if (!first) continue;
      asked++;
      const bound = languagesOf(first.skill);
      if (bound.some((id) => (project as readonly string[]).includes(id))) own++;
      else if (bound.length > 0) other++;
    }
    for (const { query, gold } of prompts) {
      tried++;
      const [first] = search.search(query, { limit: 1 }).results;
      if (first && corpus.numberOf(gold) === corpus.skills.indexOf(first.skill)) right++;
    }
  }
  console.log(
    `${knows ? "with" : "without"} the project: first results for its language ${percent(own, asked)}, for another one ${percent(other, asked)}; hit@1 of prompts ${percent(right, tried)}`,
  );
}
