import { execFileSync } from "node:child_process";
import { delimiter } from "node:path";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { knack, type Outcome, REPO } from "./run.ts";

/** A skill that prints its name, and what it requires now. */
export const skill = (name: string, now = ""): Record<string, string> => ({
  [`${REPO}/${name}/SKILL.md`]: `${skillText(name, `Does ${name}.`, now ? `metadata: { requires-now: "${now}" }\n` : "")}Text of ${name}.\n`,
});

/** A stand-in for an agent: prints its arguments, one per line as JSON, then its standard input. */
const AGENT = `#!${process.execPath}
for (const word of process.argv.slice(2)) console.log(JSON.stringify(word));
process.stdin.pipe(process.stdout);
`;

/** A project with the skills of document 000 and a stand-in for gemini. */
export function makeDispatchProject(more: Parameters<typeof makeFolder>[0] = {}): Folder {
  const folder = makeFolder({
    "repo/.git/": "",
    "bin/gemini": AGENT,
    ...skill("tao-of-coding"),
    ...skill("writing-plans"),
    ...skill("executing-plans"),
    ...skill("systematic-debugging"),
    ...more,
  });
  execFileSync("chmod", ["+x", folder.at("bin/gemini")]);
  return folder;
}

/** `knack dispatch` in a trusted project. */
export const dispatch = (folder: Folder, args: readonly string[], env: NodeJS.ProcessEnv = {}): Outcome =>
  knack(folder, ["dispatch", ...args], {
    env: { PATH: `${folder.at("bin")}${delimiter}${process.env.PATH}`, KNACK_TRUST: "all", ...env },
    timeout: 150_000,
  });
