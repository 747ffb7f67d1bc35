import { skillText } from "../../packages/core/src/testing/files.ts";

/** What people have skills for: each verb with each thing. */
const VERBS = [
  "draft",
  "review",
  "clean up",
  "explain",
  "migrate",
  "test",
  "translate",
  "release",
  "audit",
  "archive",
];
const THINGS = [
  "API docs",
  "SQL migrations",
  "slide decks",
  "invoices",
  "container images",
  "dashboards",
  "emails",
];

export interface MadeSkill {
  readonly name: string;
  /** By path in the skill's folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** One for each folder of the table and a few more, each with another text. */
export const SKILLS: readonly MadeSkill[] = VERBS.flatMap((verb) =>
  THINGS.map((thing) => makeSkill(`${verb} ${thing}`.toLowerCase().replaceAll(" ", "-"), `${verb} ${thing}`)),
);

export function makeSkill(name: string, task: string): MadeSkill {
  const description = `How to ${task}. Use when asked to ${task}.`;
  const body = `
## Steps

1. Read what is there before you ${task}.
2. Follow [the checklist](references/checklist.md).
3. Run \`scripts/check.sh\` and show its result.
`;
  return {
    name,
    files: {
      "SKILL.md": skillText(name, description) + body,
      "references/checklist.md": `# Checklist\n\n- [ ] The reason to ${task} is written down.\n`,
      "scripts/check.sh": `#!/bin/sh\necho "${name}: ok"\n`,
    },
  };
}
