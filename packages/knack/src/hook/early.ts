import { givenCall, limitTime } from "./hook-input.ts";
import { meetsNoGate } from "./kept-gates.ts";

/**
 * Whether a hook is answered already, with nothing: nearly every call of a tool. This file loads little, because to load the rest
 * takes longer than all that is done here.
 */
export async function isDone(words: readonly string[]): Promise<boolean> {
  const given = givenCall(words);
  if (!given) return false;
  limitTime();
  try {
    return meetsNoGate(await given);
  } catch {
    return false; // Whatever is wrong is met again, where everything is known.
  }
}
