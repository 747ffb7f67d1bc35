import { SkillError } from "@knack/core";
import { keepTexts, readLock } from "@knack/core/internal";
import { interruptible } from "../host/interruptible.ts";
import type { GlobalOptions } from "../options.ts";
import { pluralize } from "../terminal/count.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { visiblePath } from "../terminal/visible.ts";
import { clientsWith } from "./client-links.ts";
import { type InstallPlace, installPlace, skillFolder } from "./place.ts";
import { digestBefore } from "./plan/local-state.ts";
import { type BadSource, groupLocked } from "./plan/locked-skills.ts";
import { mayContact } from "./plan/may-contact.ts";
import { refuseChanges } from "./plan/refuse-changes.ts";
import { type PlannedUpdate, planUpdate, type UpdatePlan } from "./plan/update-plan.ts";
import { ask } from "./show/ask.ts";
import { fromTo, tellProblems, tellRest, updateJson, updateLines } from "./show/show-update.ts";
import { commitInstall, recoverInstall } from "./store/commit.ts";
import { keepCopy } from "./store/kept.ts";

export interface UpdateOptions extends GlobalOptions {
  readonly user?: boolean;
  readonly yes?: boolean;
  readonly allowFindings?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** `knack update`: fetches what the refs of locked skills give now, shows the difference, asks, and replaces the skills. */
export async function update(names: readonly string[], options: UpdateOptions): Promise<void> {
  const place = installPlace(options);
  await recoverInstall(place);
  const lock = (await readLock(place.lock)) ?? new Map();
  const { groups, bad } = groupLocked(place, lock, names);
  const open = groups.filter(({ isPinned }) => !isPinned);
  const pinned = groups
    .filter(({ isPinned }) => isPinned)
    .flatMap(({ skills }) => skills.map(({ name }) => name));
  if (!(await mayContact(place, open, options))) return;
  using keep = new DisposableStack();
  const plan = await planUpdate(place, lock, open, {
    restores: names.length > 0 || options.force === true,
    signal: interruptible(),
    keep,
  });
  const hasProblems = plan.vanished.length + plan.failed.length + bad.length > 0;
  tellProblems(plan, bad, options);
  if (options.dryRun) {
    if (options.json) printJson(updateJson(plan, bad, pinned, new Map(), false));
    else for (const one of plan.updates) print((await updateLines(place, one, options, 1)).join("\n"));
  } else if (!(await apply(place, plan, bad, pinned, options))) return;
  tellRest(plan, groups, pinned, options);
  if (hasProblems) process.exitCode = 1;
}

async function apply(
  place: InstallPlace,
  plan: UpdatePlan,
  bad: readonly BadSource[],
  pinned: readonly string[],
  options: UpdateOptions,
): Promise<boolean> {
  const { updates, unchanged } = plan;
  refuseChanges(
    place,
    updates.filter((one) => one.isEndangered),
    options.force === true,
  );
  if (!options.json)
    for (const one of updates) note(`${(await updateLines(place, one, options, 2)).join("\n")}\n`);
  if (updates.length > 0 && !(await isWanted(updates, options))) return false;
  const kept = new Map<string, string>();
  for (const { name, isEndangered, state } of updates)
    if (isEndangered && state.kind !== "link") kept.set(name, await keepCopy(place, name));
  const moved = unchanged.filter(
    ({ before, locked }) => before.commit !== locked.commit || before.path !== locked.path,
  );
  const steps = [];
  for (const { name, from, before, locked, state } of updates) {
    const clients = await clientsWith(place, name, before.sha256);
    steps.push({ name, action: "put" as const, before: digestBefore(state), locked, clients, from });
  }
  for (const { name, locked } of moved)
    steps.push({ name, action: "put" as const, before: locked.sha256, locked, clients: [] });
  if (steps.length > 0) await commitInstall(place, steps);
  for (const { name, locked } of updates) keepTexts(place.lock, skillFolder(place, name).dir, locked.files);
  if (options.json) printJson(updateJson(plan, bad, pinned, kept, true));
  else
    for (const { name, before, locked } of updates)
      print(`updated ${name}: ${fromTo(before.commit, locked.commit)}`);
  for (const [name, path] of kept)
    if (!options.json) note(`The files of ${name} as they were: ${visiblePath(path)}`);
  return true;
}

async function isWanted(updates: readonly PlannedUpdate[], options: UpdateOptions): Promise<boolean> {
  const errors = updates
    .flatMap(({ newFindings }) => newFindings)
    .filter(({ severity }) => severity === "error").length;
  if (options.yes) {
    if (errors === 0 || options.allowFindings) return true;
    throw new SkillError(
      "CONFLICT",
      `knack lint finds ${pluralize(errors, "new error")}, so nothing was changed. Read them; --allow-findings updates all the same.`,
    );
  }
  const what = updates.length === 1 ? (updates[0]?.name ?? "") : pluralize(updates.length, "skill");
  if (errors > 0 && !options.allowFindings)
    return ask(
      `knack lint finds ${pluralize(errors, "new error")}. Update ${what} all the same?`,
      false,
      "--yes and --allow-findings",
    );
  return ask(`Update ${what}?`, true);
}
