import type { Catalog } from "@knack/core";
import { loadRouting, type Routing, trustNotice, typedSkillNames } from "@knack/core/internal";
import type { Project } from "../../host/open-project.ts";
import { noteOnce } from "../../terminal/output.ts";

/** The routing as the command line has it: what is proposed is run, so an untrusted project has no say in it. */
export async function openRouting(project: Project): Promise<{ catalog: Catalog; routing: Routing }> {
  const { trusted } = project.place;
  const catalog = await project.catalog({ withoutProject: !trusted });
  const routing = loadRouting(catalog, trusted, await namesOfTyped(catalog, trusted));
  for (const line of routing.notes) noteOnce(line);
  if (catalog.waitingForTrust > 0) noteOnce(trustNotice(catalog));
  return { catalog, routing };
}

/** The typed skills that a route may name; of an untrusted project none but the built-in ones. */
export function namesOfTyped({ config }: Catalog, trusted: boolean): Promise<readonly string[]> {
  return typedSkillNames(trusted ? config.registry : []);
}
