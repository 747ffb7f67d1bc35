import { SkillError } from "@knack/core";
import { homeFolder } from "@knack/core/internal";
import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import type { Place } from "../mcp/client-config/client.ts";
import type { GlobalOptions } from "../options.ts";
import { note } from "../terminal/output.ts";
import { applyChange } from "./apply-change.ts";
import { checkClient } from "./check-client.ts";
import { signsOf } from "./client-state.ts";
import { listClients } from "./list-clients.ts";
import { clientNamed, planToAdd, planToRemove } from "./plan/plan-job.ts";
import { tellUnchanged } from "./tell.ts";

export interface SetupOptions extends GlobalOptions {
  readonly print?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
  /** A running `knack serve`: its address, or `true` for the usual one. */
  readonly http?: string | true;
}

/** `knack setup`: gives the skills to an agent by editing its own configuration, or takes them back. */
export async function setup(given: string | undefined, options: SetupOptions): Promise<void> {
  const place: Place = { env: process.env, home: homeFolder(process.env), platform: process.platform };
  if (given === undefined) {
    if (options.print || options.remove || options.http !== undefined || options.yes)
      throw new SkillError("INVALID_PARAM", `Name a client: ${CLIENT_NAMES.join(", ")}.`);
    listClients(place, options);
    return;
  }
  if (options.remove && options.http !== undefined)
    throw new SkillError("INVALID_PARAM", "--remove undoes every setup; it takes no --http.");
  const name = clientNamed(given);
  await (options.remove ? remove(name, place, options) : add(name, place, options));
}

async function add(name: ClientName, place: Place, options: SetupOptions): Promise<void> {
  const { job, change, hasToken, remarks } = await planToAdd(name, place, options);
  const { client } = job;
  if (!change) {
    tellUnchanged(job, `${client.title} is already set up`, options);
    return;
  }
  const signs = signsOf(client, place);
  if (!signs.program && !signs.folder && !options.json)
    note(`note: ${client.title} was not found on this machine.`);
  const check = () => checkClient(client, place.env);
  await applyChange(job, change, options, { hasToken, remarks, check });
}

async function remove(name: ClientName, place: Place, options: SetupOptions): Promise<void> {
  const { job, change } = planToRemove(name, place);
  if (change) await applyChange(job, change, options, { remarks: [] });
  else tellUnchanged(job, `${job.client.title} is not set up`, options);
}
