import { type Catalog, isTrusted } from "@knack/core";
import { findProject, homeFolder, trustNotice } from "@knack/core/internal";
import { loadRouting, type Routing, typedSkillNames } from "@knack/core/internal/dispatch";
import { open } from "./open.ts";
import type { GlobalOptions } from "./options.ts";
import { noteOnce } from "./output.ts";

/** The routing as the command line has it: what is proposed is run, so an untrusted project has no say in it. */
export async function openRouting(options: GlobalOptions): Promise<{ catalog: Catalog; routing: Routing }> {
  const env = process.env;
  const home = homeFolder(env);
  const trusted = isTrusted(findProject({ cwd: options.cwd ?? process.cwd(), home, env }), { env, home });
  const catalog = await open(options, { withoutProject: !trusted });
  const routing = loadRouting(catalog, trusted, await namesOfTyped(catalog, trusted));
  for (const line of routing.notes) noteOnce(line);
  if (catalog.waitingForTrust > 0) noteOnce(trustNotice(catalog));
  return { catalog, routing };
}

/** The typed skills that a route may name; of an untrusted project none but the built-in ones. */
export function namesOfTyped({ config }: Catalog, trusted: boolean): Promise<string[]> {
  return typedSkillNames(trusted ? config.registry : []);
}
