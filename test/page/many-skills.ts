import { skillText } from "../../packages/core/src/testing/files.ts";

const VERBS = ["review", "deploy", "test", "write", "debug", "plan", "release", "trace", "design", "measure"];
const THINGS = [
  "code",
  "docs",
  "images",
  "servers",
  "queries",
  "tables",
  "reports",
  "letters",
  "graphs",
  "forms",
];

/** The files of a project with so many skills. */
export function manySkills(count: number): Record<string, string> {
  const files: Record<string, string> = { "repo/.git/": "", "home/": "" };
  for (let at = 0; at < count; at++) {
    const [verb, thing] = [VERBS[at % 10], THINGS[Math.floor(at / 10) % 10]];
    const name = `${verb}-${thing}-${at}`;
    const description = `${verb} ${thing} of kind ${at}. Use when asked to ${verb} ${thing}.`;
    files[`repo/.agents/skills/${name}/SKILL.md`] = skillText(name, description);
  }
  return files;
}
