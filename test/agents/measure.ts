import type { Folder } from "../../packages/core/src/testing/files.ts";
import type { Client, Transport } from "./clients/client.ts";
import { drive, type Ended } from "./drive.ts";
import type { Conversation, Script } from "./model/conversation.ts";
import type { ScriptedModel } from "./model/scripted-model.ts";
import { PROGRAM } from "./project.ts";
import { type Heard, newHeard, wholeScript } from "./script.ts";
import type { Serving } from "./server-facts.ts";

export interface Way {
  readonly client: Client;
  /** Where it was installed. */
  readonly installed: string;
  readonly folder: Folder;
  readonly model: ScriptedModel;
  /** Over HTTP if given. */
  readonly serving?: Serving;
}

export interface Measured {
  readonly transport: Transport;
  readonly ended: Ended;
  readonly conversation: Conversation;
  readonly heard: Heard;
}

/** The whole script, through one client over one transport. */
export async function measure(way: Way): Promise<Measured> {
  const heard = newHeard();
  const args = way.client.args("Use the skills of this project.");
  const { ended, conversation } = await run(way, wholeScript(heard), args);
  return { transport: way.serving ? "http" : "stdio", ended, conversation, heard };
}

// biome-ignore lint/correctness/useYield: the model says one thing and calls nothing
export function* endAtOnce(): Script {
  return "Done.";
}

export async function run(
  { client, installed, folder, model, serving }: Way,
  script: Script,
  args: readonly string[],
  server: readonly [string, ...string[]] = [process.execPath, PROGRAM, "mcp"],
): Promise<{ readonly ended: Ended; readonly conversation: Conversation }> {
  const conversation = model.begin(script);
  const setting = {
    transport: serving ? ("http" as const) : ("stdio" as const),
    command: server,
    ...(serving ? { http: serving } : {}),
    modelUrl: model.url,
  };
  const ended = await drive(client, installed, folder, setting, args);
  return { ended, conversation };
}
