import type { Check } from "../checks/check.ts";
import type { Client } from "../clients/client.ts";
import { install } from "../install.ts";
import type { ScriptedModel } from "../model/scripted-model.ts";
import { makeProject, skill } from "../project.ts";
import { setUp } from "../set-up.ts";
import type { Row } from "../table.ts";
import type { Way } from "../way.ts";
import { addSkills, race, type Tokens, tokens } from "./costs.ts";
import { failures } from "./failures.ts";
import { gates } from "./gates.ts";
import { lasting, subagent } from "./lasting.ts";
import { BREAKER, everyday, firstRequests, fits, hostile, nothing } from "./prompts.ts";

export const PARTS = ["prompts", "gates", "lasting", "failures", "tokens", "starts"] as const;
type Part = (typeof PARTS)[number];

export interface Wanted {
  readonly parts: readonly Part[];
  /** How many prompts that fit nothing; how many starts on a busy machine. */
  readonly prompts: number;
  readonly starts: number;
  /** A folder of skills that the client itself lists, beside those of the project. */
  readonly skills: string;
}

export interface TriedHooks {
  readonly row: Row;
  readonly tokens?: Tokens;
}

/** What the hooks of one client do, as `knack setup` writes them. */
export async function tryHooks(client: Client, model: ScriptedModel, wanted: Wanted): Promise<TriedHooks> {
  const { title, version } = client;
  const row = (checks: readonly Check[]): Row => ({ client: title, version, transport: "hooks", checks });
  const checks: Check[] = [];
  try {
    const installed = install(client);
    using folder = makeProject();
    folder.write({
      [`repo/skills/${BREAKER.name}/SKILL.md`]: skill(BREAKER.name, BREAKER.description, BREAKER.body),
    });
    const way = { client, installed, folder, model };
    const has = (part: Part): boolean => wanted.parts.includes(part);
    if (has("prompts")) checks.push(await nothingFits(way, everyday(wanted.prompts), wanted.skills));
    checks.push(setUpHooks(way));
    if (has("prompts")) checks.push(await fits(way), await hostile(way));
    if (has("gates")) checks.push(...(await gates(way)));
    if (has("lasting")) checks.push(...(await lasting(way)), ...(await subagent(way)));
    if (has("starts")) checks.push(await race(way, wanted.starts));
    if (has("failures")) checks.push(...(await failures(way)));
    return { row: row(checks), ...(has("tokens") ? { tokens: await tokens(way, wanted.skills) } : {}) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { row: row([...checks, { name: "goes on", ok: false, detail }]) };
  }
}

/** With more skills than those of the project, which could fit. */
async function nothingFits(given: Way, prompts: readonly string[], skills: string): Promise<Check> {
  using folder = makeProject();
  const way = { ...given, folder };
  addSkills(way, skills);
  setUp(way);
  const plain = await firstRequests(way, prompts);
  setUpHooks(way);
  return nothing(prompts, plain, await firstRequests(way, prompts));
}

function setUpHooks(way: Way): Check {
  return setUp(way, undefined, ["--hooks", ...(way.client.hookFlags ?? [])]).asCheck;
}
