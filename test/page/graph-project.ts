import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";

const at = (name: string): string => `repo/.agents/skills/${name}/SKILL.md`;

/** The text of a skill with these sentences. */
const saying = (name: string, ...sentences: string[]): string =>
  `${skillText(name)}${sentences.map((sentence) => `\n${sentence}\n`).join("")}`;

/** Every kind of edge, a cycle, a name that means nothing, skills without edges. */
export function smallGraph(): Folder {
  return makeFolder({
    "repo/.git/": "",
    "home/": "",
    [at("release")]: saying(
      "release",
      "REQUIRED SUB-SKILL: Use code-review.",
      "After the release is published, you MUST use `changelog`.",
      "REQUIRED SUB-SKILL: Use no-such-skill.",
    ),
    [at("code-review")]: saying(
      "code-review",
      "REQUIRED SUB-SKILL: Use systematic-debugging.",
      "See also `style-guide`.",
    ),
    [at("systematic-debugging")]: saying(
      "systematic-debugging",
      "REQUIRED SUB-SKILL: Use root-cause-tracing.",
      "See also `style-guide`.",
    ),
    [at("root-cause-tracing")]: saying("root-cause-tracing"),
    [at("style-guide")]: saying("style-guide"),
    [at("changelog")]: saying("changelog", "You MUST use `style-guide` or `code-review`."),
    [at("planning")]: saying("planning", "REQUIRED SUB-SKILL: Use executing."),
    [at("executing")]: saying("executing", "REQUIRED SUB-SKILL: Use planning."),
    [at("zh-writing")]:
      `---\nname: zh-writing\ndescription: 撰写技术文档。\n---\n\n必須使用 \`style-guide\`。\n`,
    [at("alone")]: saying("alone"),
  });
}

/** Many skills: hubs that much leads to, chains, a few cycles, a third without edges. */
export function largeGraph(size: number): Folder {
  const files: Record<string, string> = { "repo/.git/": "", "home/": "" };
  const nameOf = (number: number): string => `skill-${String(number).padStart(5, "0")}`;
  for (let number = 0; number < size; number++) {
    const sentences: string[] = [];
    if (number % 3 !== 0) {
      // The same graph each time, and few skills that much leads to.
      const near = Math.floor(number / 7);
      sentences.push(`REQUIRED SUB-SKILL: Use ${nameOf(near === number ? number + 1 : near)}.`);
      if (number % 2 === 0) sentences.push(`See also \`${nameOf((number * 17) % Math.min(size, 60))}\`.`);
      if (number % 11 === 0) sentences.push(`After the merge, you MUST use \`${nameOf(number - 1)}\`.`);
    }
    if (number === 0)
      sentences.push(`REQUIRED SUB-SKILL: Use ${nameOf(1)}.`, `REQUIRED SUB-SKILL: Use lost-skill.`);
    files[at(nameOf(number))] = saying(nameOf(number), ...sentences);
  }
  return makeFolder(files);
}
