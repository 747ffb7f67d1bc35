import type { Catalog } from "@knack/core";
import { findEvents } from "@knack/engine";
import { clientNamed } from "../hook/hook-clients.ts";
import { countMissing } from "../host/missing.ts";
import { openProject } from "../host/open-project.ts";
import { count, pluralize, shortTime } from "../terminal/visible.ts";
import { versionOf } from "./check-client.ts";
import { ownPlace, type UserPlace } from "./client-file.ts";
import { CLIENTS } from "./clients.ts";
import { areHooksTrusted, type ListedClient, lookAtClients } from "./connect-client.ts";

/** Events of the record in which a client is looked for. */
const MAX_EVENTS = 5_000;

/** What agents get of the skills here, and why not all. */
function offerOf(catalog: Catalog, trusted: boolean) {
  const missing = countMissing(catalog, trusted);
  const forModels = catalog.skills.filter(({ disableModelInvocation }) => !disableModelInvocation);
  const seen = trusted ? forModels.length : forModels.filter(({ scope }) => scope !== "repo").length;
  const { skipped, disabled, ineligible, shadowed, unverified, waiting } = missing;
  const forPeople = catalog.skills.length - forModels.length;
  const reasons: readonly (readonly [number, string])[] = [
    [waiting, "waiting for trust"],
    [skipped, "skipped"],
    [disabled, "disabled"],
    [ineligible, "ineligible"],
    [shadowed, "shadowed"],
    [unverified, "changed or not locked"],
    [forPeople, "for people alone"],
  ];
  const parts = reasons.filter(([many]) => many > 0).map(([many, reason]) => `${count(many)} ${reason}`);
  const left = reasons.reduce((sum, [many]) => sum + many, 0);
  return { seen, all: seen + left, why: parts.join(", "), waiting };
}

/** A line for each agent that is on this machine or set up: what it has of Knack, when it came, what it sees, what to do. */
export async function lookAtAgents(
  catalog: Catalog,
  trusted: boolean,
): Promise<readonly (readonly [name: string, look: () => ReturnType<typeof describe>])[]> {
  const place = ownPlace();
  const here = lookAtClients(place).filter(({ installed, setup }) => installed || setup !== false);
  const offer = offerOf(catalog, trusted);
  if (here.length === 0) return [];
  const [lastSeen, versions] = await Promise.all([
    lastConnections(catalog),
    Promise.all(
      here.map(({ client, setup }) =>
        setup ? versionOf(CLIENTS[client].programs[0] ?? "", place) : undefined,
      ),
    ),
  ]);
  return here.map((client, at) => [
    `agent ${client.title}`,
    () => describe(client, { version: versions[at], seenAt: lastSeen.get(client.client), offer, place }),
  ]);
}

interface Known {
  readonly version: string | undefined;
  readonly seenAt: string | undefined;
  readonly offer: ReturnType<typeof offerOf>;
  readonly place: UserPlace;
}

function describe(listed: ListedClient, { version, seenAt, offer, place }: Known) {
  const { client, setup, current, hooks, error } = listed;
  const { seen, all, why, waiting } = offer;
  const again = `knack setup ${client}`;
  if (setup === null)
    return { ok: false, message: error ?? "its file cannot be read", hint: `Fix it, then run "${again}".` };
  if (!setup) return { message: "not set up", hint: `"${again}" gives it the skills.` };
  const isTrusted = !hooks || areHooksTrusted(client, place);
  const parts = [
    ...(version === undefined ? [] : [version]),
    current === false ? "set up, out of date" : "set up",
    ...(hooks === null ? [] : [!hooks ? "no hooks" : isTrusted ? "hooks" : "hooks not trusted"]),
    seenAt === undefined ? "has not connected in this project" : `connected ${shortTime(seenAt)}`,
    `sees ${count(seen)} of ${pluralize(all, "skill")}${why === "" ? "" : ` (${why})`}`,
  ];
  const hints = [
    ...(current === false ? [`Run "${again}" again.`] : []),
    ...(hooks === false ? [`"${again} --hooks" puts the skill that fits before the model.`] : []),
    ...(isTrusted ? [] : [`Type /hooks in ${listed.title}, or run "${again} --trust-hooks".`]),
    ...(waiting > 0 ? ['"knack trust" gives it the skills of this project.'] : []),
  ];
  const seesNothing = seen === 0 && all > 0;
  const warns = hints.length > 0 && !seesNothing;
  return { ok: !seesNothing, warns, message: parts.join("; "), hint: hints.join(" ") || undefined };
}

/** When each client was last heard of in this project's record. */
async function lastConnections({ projectRoot }: Catalog): Promise<ReadonlyMap<string, string>> {
  const project = openProject({ cwd: projectRoot });
  try {
    const engine = await project.engine("doctor", { keepsWarm: false });
    if (!engine.hasStore) return new Map();
    const events = await findEvents(await engine.history(), { limit: MAX_EVENTS });
    // The newest first; the map keeps the last that is set.
    const seen = events.toReversed().flatMap(({ actor, created_at }) => {
      const [, way, name = ""] = /^(mcp|hook):(.*)$/.exec(String(actor)) ?? [];
      const client = way === undefined ? undefined : clientNamed(name);
      return client === undefined ? [] : [[client, created_at] as const];
    });
    return new Map(seen);
  } catch {
    return new Map(); // What is wrong with the record has a line of its own.
  } finally {
    await project.close();
  }
}
