import { createRuntime } from "../../live/create-runtime.ts";
import type { RuntimeOptions } from "../../live/runtime.ts";
import type { Session } from "../../live/session.ts";
import { type Folder, skillText } from "../../testing/files.ts";
import type { Dispatched } from "../dispatcher.ts";
import { isRefusal, type Refusal } from "../guards.ts";

/** An empty project, and where its skills are. */
export const PROJECT = { "repo/.git/": "", "home/": "" };
export const AT = "repo/.agents/skills";

/** A skill, what it requires now, and more of its front matter. */
export const skill = (name: string, now = "", more = ""): Record<string, string> => ({
  [`${AT}/${name}/SKILL.md`]: `${skillText(
    name,
    `Does ${name}.`,
    `${more}${now ? `metadata: { requires-now: "${now}" }\n` : ""}`,
  )}Text of ${name}.\n`,
});

export async function sessionIn(folder: Folder, more: Partial<RuntimeOptions> = {}): Promise<Session> {
  const place = { cwd: folder.at("repo"), home: folder.at("home"), cache: false } as const;
  return (await createRuntime({ ...place, env: { PATH: process.env.PATH }, ...more })).session();
}

export function whole(outcome: Dispatched | Refusal): Dispatched {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
}
