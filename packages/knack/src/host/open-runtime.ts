import { createRuntime, type Observe, type Runtime, type RuntimeOptions } from "@knack/core";
import { trustNotice } from "@knack/core/internal";
import type { GlobalOptions } from "../options.ts";
import { noteOnce } from "../terminal/output.ts";
import { Progress } from "../terminal/progress.ts";
import { placeAt, placeOf } from "./place.ts";
import { record } from "./record.ts";

/**
 * The runtime as the command line has it. Where a model reads, an untrusted project's skills wait, and one line says
 * so; a person at the terminal reads what they like (`offersProject`).
 */
export async function openRuntime(
  options: GlobalOptions,
  more: Partial<RuntimeOptions> & { readonly by?: string; readonly tell?: (line: string) => void } = {},
): Promise<Runtime> {
  const { by = "cli", tell = noteOnce, ...given } = more;
  const { cwd, home, env, projectRoot } = placeAt(options);
  // Asked again as the conversation goes on: `knack trust` in another window is for it too.
  const trusted = (): boolean => placeOf(projectRoot).trusted;
  const progress = new Progress();
  let runtime: Runtime | undefined;
  const observe: Observe = async (event) => {
    if (runtime) await record(runtime.catalog, event, by);
  };
  runtime = await createRuntime({
    cwd,
    home,
    env,
    trusted,
    onProgress: progress.tell,
    observe,
    ...given,
  }).finally(() => progress.end());
  const { catalog } = runtime;
  for (const line of catalog.notes) tell(line);
  if (catalog.waitingForTrust > 0) tell(trustNotice(catalog));
  return runtime;
}
