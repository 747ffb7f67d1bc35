import { drive, type Ended } from "./drive.ts";
import type { Conversation, Script } from "./model/conversation.ts";
import { type Heard, newHeard, wholeScript } from "./script.ts";
import type { Way } from "./way.ts";

/** How Knack is reached. */
export type Transport = "stdio" | "http";

export interface Measured {
  readonly transport: Transport;
  readonly ended: Ended;
  readonly conversation: Conversation;
  readonly heard: Heard;
}

/** The whole script, through one client. */
export async function measure(way: Way, transport: Transport): Promise<Measured> {
  const heard = newHeard();
  const args = way.client.args("Use the skills of this project.");
  return { transport, heard, ...(await run(way, wholeScript(heard), args)) };
}

/** One conversation of the client with the scripted model. */
export async function run(
  way: Way,
  script: Script,
  args: readonly string[],
): Promise<{ readonly ended: Ended; readonly conversation: Conversation }> {
  const conversation = way.model.begin(script);
  return { ended: await drive(way, args), conversation };
}
