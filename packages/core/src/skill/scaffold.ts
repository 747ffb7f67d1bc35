/** What `knack new` writes for somebody to replace, and how to tell that nobody has. */

const DESCRIPTION = "say what this skill does. Use when the user asks for it in words like these.";
const FIRST_STEP = "1. Say what to do first, with the command or the file it needs.";

export const isScaffoldDescription = (description: string): boolean => description.endsWith(DESCRIPTION);

export const hasScaffoldSteps = (body: string): boolean => body.includes(FIRST_STEP);

export function scaffoldText(name: string, description: string | undefined): string {
  const title = name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
  // A JSON string is a YAML string, whatever characters it has.
  return `---
name: ${name}
description: ${JSON.stringify(description ?? `${title}: ${DESCRIPTION}`)}
---

# ${title}

## When to use

Say which requests this skill is for, and which it is not for.

## Steps

${FIRST_STEP}
2. Say what to do next.
3. Say how to tell that the work is done.

Longer material belongs in \`references/\`, code in \`scripts/\`, both beside this file.
`;
}
