import { withProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { tellEnvelope } from "./tell-envelope.ts";

export interface LoadOptions extends GlobalOptions {
  readonly args?: string;
}

/** Prints what an agent would get. The person who types has decided, so nobody is asked; a deny holds all the same. */
export async function load(given: string, options: LoadOptions): Promise<void> {
  const envelope = await withProject(options, async (project) => {
    const runtime = await project.runtime({ offersProject: true });
    const params = { name: given, args: options.args ?? "" };
    return runtime.session().call("skill_load", params, { actor: "person" });
  });
  if (!tellEnvelope(envelope, options)) process.exitCode = 1;
}
