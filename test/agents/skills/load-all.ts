import { readFileSync } from "node:fs";
import type { SkillMetadata } from "../../../packages/core/src/skill/schema.ts";
import type { Check } from "../checks/check.ts";
import { run } from "../measure.ts";
import type { Script } from "../model/conversation.ts";
import type { Way } from "../way.ts";

/** Lets the model load every skill that Knack lists, in one conversation: by the name that is listed, or by path where two share it. */
export async function loadAll(way: Way, skills: readonly SkillMetadata[]): Promise<Check> {
  const notGiven: string[] = [];
  let given = 0;
  function* script(): Script {
    for (const { name, path } of skills) {
      const isAlone = skills.filter((other) => other.name === name).length === 1;
      const text: string = yield { tool: "skill_load", args: isAlone ? { name } : { path } };
      if (text.includes(firstStep(path))) given++;
      else notGiven.push(`${name}: ${text.slice(0, 200)}`);
    }
    return "Done.";
  }
  const { conversation, ended } = await run(way, script(), way.client.args("Load all skills."));
  const problems = [...conversation.problems, ...notGiven.slice(0, 3)];
  if (!conversation.hasEnded) problems.push(ended.output.trim().slice(-600));
  const detail = [`${given} of ${skills.length} listed skills`, ...problems].join("; ");
  return { name: "loads", ok: given === skills.length, detail };
}

/** A line that no other skill of the home has. */
const firstStep = (path: string): string => /^1\. (.*)$/m.exec(readFileSync(path, "utf8"))?.[1] ?? path;
