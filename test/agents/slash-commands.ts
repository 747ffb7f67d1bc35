import { join } from "node:path";
import { endAtOnce, run, type Way } from "./measure.ts";
import { DECLARATIONS } from "./prompt-server.ts";
import type { Slash } from "./table.ts";

/** Words, a quoted pair, signs that shells and clients read. */
export const TYPED = `first second "third fourth" --fifth=5 sechs & <sieben> last`;

const SERVER = join(import.meta.dirname, "prompt-server.ts");

/** What a client passes of the same text for each declaration of a prompt's arguments. */
export async function tryDeclarations(way: Way, typed = TYPED): Promise<Slash[]> {
  const { client } = way;
  const slashes: Slash[] = [];
  for (const name of Object.keys(DECLARATIONS)) {
    const args = client.slashCommand?.(name, typed);
    if (!args) continue;
    const { conversation, ended } = await run(way, endAtOnce(), args, [process.execPath, SERVER]);
    const heard = conversation.turns.map(({ asked }) => asked.user).join("\n");
    const passed =
      heard.match(/GOT (.*?) TOG/s)?.[1] ?? (heard.slice(-200) || ended.output.trim().slice(-300));
    slashes.push({ client: client.title, declaration: name, passed });
  }
  return slashes;
}
