import { openRuntime } from "../../host/open-runtime.ts";
import type { GlobalOptions } from "../../options.ts";
import { tellEnvelope } from "./tell-envelope.ts";

export interface LoadOptions extends GlobalOptions {
  readonly args?: string;
}

/** Prints what an agent would get. The person who types has decided, so nobody is asked; a deny holds all the same. */
export async function load(given: string, options: LoadOptions): Promise<void> {
  const runtime = await openRuntime(options, { offersProject: true });
  const params = { name: given, args: options.args ?? "" };
  const envelope = await runtime.session().call("skill_load", params, { actor: "person" });
  if (!tellEnvelope(envelope, options)) process.exitCode = 1;
}
