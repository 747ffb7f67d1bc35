import { HOOK_LIMIT_MS } from "./hook-clients.ts";
import { givenCall } from "./hook-input.ts";
import { meetsNoGate } from "./kept-gates.ts";

/**
 * Whether a hook is answered already, with nothing: nearly every call of a tool. This file loads little, because to load the rest
 * takes longer than all that is done here.
 */
export async function isDone(words: readonly string[]): Promise<boolean> {
  const given = givenCall(words);
  if (!given) return false;
  setTimeout(() => process.exit(0), HOOK_LIMIT_MS);
  try {
    return meetsNoGate(await given);
  } catch {
    return false; // Whatever is wrong is met again, where everything is known.
  }
}
