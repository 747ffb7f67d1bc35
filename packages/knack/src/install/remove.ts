import { existsSync, readdirSync } from "node:fs";
import { SkillError } from "@knack/core";
import { isValidName } from "@knack/core/catalog";
import type { ClientId } from "@knack/core/config";
import { readLock } from "@knack/core/lock";
import { fewOf, quote } from "@knack/core/text";
import type { GlobalOptions } from "../options.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { visiblePath } from "../terminal/visible.ts";
import { clientState, clientsWith, readClients, unlinkFor } from "./client-links.ts";
import { tellKept } from "./incoming.ts";
import { commitInstall, keepCopy, recoverInstall } from "./journal.ts";
import { digestBefore, isEndangered, type LocalState, localState, refuseChanges } from "./local-state.ts";
import { type InstallPlace, installPlace, skillFolder } from "./place.ts";

export interface RemoveOptions extends GlobalOptions {
  readonly user?: boolean;
  readonly for?: readonly string[];
  readonly force?: boolean;
}

interface Removal {
  readonly name: string;
  readonly state: LocalState;
}

/** `knack remove`: takes skills away, with their lock entries and the links that clients have to them. */
export async function remove(names: readonly string[], options: RemoveOptions): Promise<void> {
  const place = installPlace(options);
  const only = readClients(options.for);
  await recoverInstall(place);
  const lock = (await readLock(place.lock)) ?? new Map();
  const removals: Removal[] = [];
  for (const name of new Set(names)) {
    if (!isValidName(name)) throw notFound(place, name);
    const state = await localState(place, lock, name);
    if (state.kind === "absent" && !state.locked) throw notFound(place, name);
    removals.push({ name, state });
  }
  if (only.length > 0) return removeFromClients(place, removals, only, options);
  // A link is no copy of anything: to remove it loses nothing.
  const endangered = removals.filter(({ state }) => state.kind !== "link" && isEndangered(state));
  refuseChanges(place, endangered, options.force === true);
  const kept = new Map<string, string>();
  for (const { name } of endangered) kept.set(name, await keepCopy(place, name));
  const clients = new Map<string, ClientId[]>();
  for (const { name, state } of removals)
    clients.set(name, await clientsWith(place, name, digestBefore(state)));
  await commitInstall(
    place,
    removals.map(({ name, state }) => ({
      name,
      action: "remove",
      before: digestBefore(state),
      locked: null,
      clients: clients.get(name) ?? [],
    })),
  );
  tell(place, removals, kept, clients, options);
}

async function removeFromClients(
  place: InstallPlace,
  removals: readonly Removal[],
  only: readonly ClientId[],
  options: RemoveOptions,
): Promise<void> {
  const done: { name: string; client: ClientId }[] = [];
  for (const { name, state } of removals)
    for (const client of only) {
      const found = await clientState(place, client, name, digestBefore(state));
      if (found === "absent") continue;
      if (found !== "ours")
        throw new SkillError(
          "CONFLICT",
          `What ${client} has as ${name} was not put there by knack add; nothing was removed.`,
        );
      unlinkFor(place, client, name);
      done.push({ name, client });
    }
  if (options.json) printJson({ removed: [], clients: done });
  else if (done.length === 0) note("These clients do not have it.");
  else for (const { name, client } of done) print(`removed ${name} from ${client}`);
}

function tell(
  place: InstallPlace,
  removals: readonly Removal[],
  kept: ReadonlyMap<string, string>,
  clients: ReadonlyMap<string, readonly ClientId[]>,
  options: RemoveOptions,
): void {
  if (options.json) {
    printJson({
      removed: removals.map(({ name }) => ({
        name,
        folder: skillFolder(place, name).dir,
        clients: clients.get(name) ?? [],
        ...(kept.has(name) ? { kept: kept.get(name) } : {}),
      })),
    });
    return;
  }
  for (const { name } of removals) print(`removed ${name}: ${visiblePath(skillFolder(place, name).dir)}`);
  tellKept(kept);
}

function notFound(place: InstallPlace, name: string): SkillError {
  const { skillsFolder } = place;
  const there = existsSync(skillsFolder)
    ? readdirSync(skillsFolder)
        .filter((one) => !one.startsWith("."))
        .sort()
    : [];
  const list = there.length === 0 ? "No skills are there." : `These are: ${fewOf(there)}.`;
  return new SkillError("NOT_FOUND", `No skill ${quote(name)} in ${skillsFolder}. ${list}`);
}
