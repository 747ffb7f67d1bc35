import { DECLARATIONS } from "../echo-server.ts";
import { run } from "../measure.ts";
import type { Script } from "../model/conversation.ts";
import type { Way } from "../way.ts";
import type { Check } from "./check.ts";

/** Words, a quoted pair, signs that shells and clients read. */
const TYPED = `first second "third fourth" --fifth=5 sechs & <sieben> last`;

/** What each client passes of the same text for one declaration of a prompt's arguments. */
export interface Passed {
  readonly client: string;
  readonly declaration: string;
  readonly typed: string;
  readonly passed: string;
}

/** Every declaration that Knack could choose, with a text and without; against the echo server. */
export async function tryDeclarations(way: Way): Promise<Passed[]> {
  const passed: Passed[] = [];
  for (const typed of [TYPED, ""])
    for (const declaration of Object.keys(DECLARATIONS)) {
      const heard = await heardOf(way, declaration, typed);
      const arrived = heard.match(/GOT (.*?) TOG/s)?.[1] ?? heard.trim().slice(-300);
      passed.push({ client: way.client.title, declaration, typed, passed: arrived });
    }
  return passed;
}

/** Knack's own prompt of a skill: its text, and what the user typed behind its name. */
export async function checkSlashCommand(way: Way): Promise<Check[]> {
  const { client } = way;
  const name = "slash command";
  if (!client.slashCommand) return [];
  const heard = await heardOf(way, "release-notes", TYPED);
  const bare = await heardOf(way, "release-notes", "");
  const isThere = [heard, bare].every((text) => text.includes("NORMAL-1 ") && text.includes("NORMAL-2 "));
  if (!isThere)
    return [{ name, ok: false, detail: `no text of the skill: ${heard.slice(-300)} ${bare.slice(-300)}` }];
  const passed = heard.match(/ARGUMENTS: (.*?)(?:\n|\\n|$)/)?.[1] ?? "";
  const isBeside = heard.includes(client.slashBeside?.(TYPED) ?? "");
  const detail = `${passed || "nothing of what was typed"}${isBeside ? "" : ", and not the whole text besides"}`;
  return [{ name, ok: isBeside && passed === client.slashKeeps, detail }];
}

/** What the model got of a slash command; else what the client printed. */
async function heardOf(way: Way, prompt: string, typed: string): Promise<string> {
  const args = way.client.slashCommand?.(prompt, typed);
  if (!args) return "";
  const { conversation, ended } = await run(way, endAtOnce(), args);
  return conversation.turns.map(({ asked }) => asked.user).join("\n") || ended.output;
}

// biome-ignore lint/correctness/useYield: the model says one thing and calls nothing
function* endAtOnce(): Script {
  return "Done.";
}
