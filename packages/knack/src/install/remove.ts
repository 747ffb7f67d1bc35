import { existsSync, readdirSync } from "node:fs";
import { isValidName } from "@knack/core/catalog";
import type { ClientId } from "@knack/core/config";
import { readLock } from "@knack/core/lock";
import { fewOf, type KnackError, quote } from "@knack/core/text";
import type { CommandOptions } from "../cli/table/table.ts";
import { conflict, notFound } from "../options.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { visiblePath } from "../terminal/visible.ts";
import { clientState, clientsWith, readClients, unlinkFor } from "./client-links.ts";
import { tellKept } from "./incoming.ts";
import { commitInstall, keepCopy, recoverInstall } from "./journal.ts";
import {
  digestBefore,
  type InstallPlace,
  installPlace,
  isEndangered,
  type LocalState,
  localState,
  meantNames,
  refuseChanges,
  skillFolder,
} from "./place.ts";

interface Removal {
  readonly name: string;
  readonly state: LocalState;
  readonly clients: readonly ClientId[];
}

/** `knack remove`: takes skills away, with their lock entries and the links that clients have to them. */
export async function remove(
  references: readonly string[],
  options: CommandOptions<"remove">,
): Promise<void> {
  const place = installPlace(options);
  const only = readClients(options.for);
  await recoverInstall(place);
  const lock = (await readLock(place.lock)) ?? new Map();
  const removals: Removal[] = [];
  for (const name of new Set(await meantNames(place, lock, references, options))) {
    if (!isValidName(name)) throw noSuchSkill(place, name);
    const state = await localState(place, lock, name);
    if (state.kind === "absent" && !state.locked && !state.digest) throw noSuchSkill(place, name);
    removals.push({ name, state, clients: await clientsWith(place, name, digestBefore(state)) });
  }
  if (only.length > 0) return removeFromClients(place, removals, only, options);
  // A link is no copy of anything: to remove it loses nothing.
  const endangered = removals.filter(({ state }) => state.kind !== "link" && isEndangered(state));
  refuseChanges(place, endangered, options.force);
  const kept = new Map<string, string>();
  for (const { name } of endangered) kept.set(name, await keepCopy(place, name));
  const steps = removals.map(({ name, state, clients }) => {
    return { name, action: "remove" as const, before: digestBefore(state), locked: null, clients };
  });
  await commitInstall(place, steps);
  const removed = removals.map(({ name, clients }) => ({
    name,
    folder: skillFolder(place, name).dir,
    clients,
    ...(kept.has(name) ? { kept: kept.get(name) } : {}),
  }));
  if (options.json) return printJson({ removed });
  for (const { name, folder } of removed) print(`removed ${name}: ${visiblePath(folder)}`);
  tellKept(kept);
}

async function removeFromClients(
  place: InstallPlace,
  removals: readonly Removal[],
  only: readonly ClientId[],
  options: CommandOptions<"remove">,
): Promise<void> {
  const done: { name: string; client: ClientId }[] = [];
  for (const { name, state } of removals)
    for (const client of only) {
      const found = await clientState(place, client, name, digestBefore(state));
      if (found === "absent") continue;
      if (found !== "ours")
        throw conflict(`What ${client} has as ${name} was not put there by knack add; nothing was removed.`);
      unlinkFor(place, client, name);
      done.push({ name, client });
    }
  if (options.json) printJson({ removed: [], clients: done });
  else if (done.length === 0) note("These clients do not have it.");
  else for (const { name, client } of done) print(`removed ${name} from ${client}`);
}

function noSuchSkill(place: InstallPlace, name: string): KnackError {
  const { skillsFolder } = place;
  const found = existsSync(skillsFolder) ? readdirSync(skillsFolder) : [];
  const there = found.filter((one) => !one.startsWith(".")).sort();
  const list = there.length === 0 ? "No skills are there." : `These are: ${fewOf(there)}.`;
  return notFound(`No skill ${quote(name)} in ${skillsFolder}. ${list}`);
}
