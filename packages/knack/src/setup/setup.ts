import { SkillError } from "@knack/core";
import { homeFolder } from "@knack/core/config";
import { CLIENT_NAMES } from "../client-names.ts";
import type { GlobalOptions } from "../options.ts";
import { askConsent, type Consent, note, print, printJson } from "../terminal/output.ts";
import { type CheckResult, checkClient } from "./check-client.ts";
import {
  makeBackup,
  removeBackup,
  removeClientFile,
  requireWritable,
  writeClientFile,
} from "./client-file.ts";
import type { UserPlace } from "./clients.ts";
import { listClients } from "./look-at-clients.ts";
import type { Change } from "./plan-change.ts";
import { clientNamed, type Job, type PlannedJob, planToAdd, planToRemove, signsOf } from "./plan-job.ts";
import { printConfig } from "./print-config.ts";
import { showChange, shown } from "./show-change.ts";

export interface SetupOptions extends GlobalOptions {
  readonly print?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
  /** A running `knack serve`: its address, or `true` for the usual one. */
  readonly http?: string | true;
}

/** `knack setup`: gives the skills to an agent by editing its own configuration, or takes them back. */
export async function setup(given: string | undefined, options: SetupOptions): Promise<void> {
  const place: UserPlace = { env: process.env, home: homeFolder(process.env), platform: process.platform };
  if (given === undefined) {
    if (options.print || options.remove || options.http !== undefined || options.yes)
      throw new SkillError("INVALID_PARAM", `Name a client: ${CLIENT_NAMES.join(", ")}.`);
    listClients(place, options);
    return;
  }
  if (options.remove && options.http !== undefined)
    throw new SkillError("INVALID_PARAM", "--remove undoes every setup; it takes no --http.");
  const name = clientNamed(given);
  if (options.print && !options.remove) {
    printConfig(name, options);
    return;
  }
  const planned = options.remove ? planToRemove(name, place) : await planToAdd(name, place, options);
  const { job, change } = planned;
  if (change) await applyChange(planned, change, options);
  else if (options.json) printJson(outcomeReport(job, { changed: false }));
  else
    print(
      `${job.client.title} is ${options.remove ? "not" : "already"} set up: ${shown(job.file.path, job)}`,
    );
}

/** Shows the change, asks, makes a backup, writes, and says what came of it. */
async function applyChange(
  { job, hasToken, remarks }: PlannedJob,
  change: Change,
  options: SetupOptions,
): Promise<void> {
  const { file, client, action, place } = job;
  const signs = signsOf(client, place);
  if (action === "set up" && !signs.program && !signs.folder && !options.json)
    note(`note: ${client.title} was not found on this machine.`);
  const diff = [shown(file.path, job), ...showChange(file.text ?? "", change.text ?? "")];
  if (options.print) {
    if (options.json) printJson(outcomeReport(job, { changed: false, diff }));
    else print(diff.join("\n"));
    return;
  }
  await requireWritable(file);
  if (!options.json) note(diff.join("\n"));
  const answer = options.yes ? "yes" : await ask(job);
  if (answer !== "yes") {
    note("Nothing was changed.");
    process.exitCode = answer === "cancelled" ? 130 : 1;
    return;
  }
  const backup = writeChange(job, change, hasToken);
  const check = action === "set up" ? await checkClient(client, place.env) : undefined;
  if (check?.connected === false) process.exitCode = 1;
  if (options.json) {
    printJson(outcomeReport(job, { changed: true, backup, check }));
    return;
  }
  print(
    action === "set up"
      ? `${client.title} is set up: ${shown(file.path, job)}`
      : `${client.title} is no longer set up: ${shown(file.path, job)}${change.text === undefined ? " is removed" : ""}`,
  );
  const link =
    file.target === file.path ? [] : [`The file is a link; ${shown(file.target, job)} was changed.`];
  const kept = backup
    ? [
        `The file ${action === "set up" ? "as it was" : "from before, without later changes"}: ${shown(backup, job)}`,
      ]
    : [];
  const secret = !hasToken
    ? []
    : [`${shown(file.target, job)} has the token now; only you can read it. Keep it out of version control.`];
  for (const line of [...link, ...kept, ...secret, ...(check ? [check.message] : []), ...remarks]) note(line);
}

/** Writes the change, and returns the backup that is left. Removal makes none: its text would be that with the server. */
export function writeChange(
  { file, action, place }: Job,
  { text, origin, earlier }: Change,
  hasToken: boolean,
): string | undefined {
  const known = typeof origin === "object" ? origin : undefined;
  if (text === undefined) {
    removeClientFile(file, place.home);
    return undefined;
  }
  if (action === "removed") {
    writeClientFile(file, text, known?.mode ?? file.mode);
    if (known) removeBackup(known);
    return earlier?.path;
  }
  const backup = origin === undefined && file.text !== undefined ? makeBackup(file) : known?.path;
  writeClientFile(file, text, hasToken ? file.mode & ~0o077 : file.mode);
  return backup;
}

async function ask({ file, place }: Job): Promise<Consent> {
  const answer = await askConsent(`Change ${shown(file.path, { place })}?`);
  if (answer !== undefined) return answer;
  throw new SkillError(
    "INVALID_PARAM",
    "This needs your confirmation; run it in a terminal, or add --yes. Nothing was changed.",
  );
}

export interface SetupOutcome {
  readonly changed: boolean;
  readonly backup?: string | undefined;
  readonly check?: CheckResult | undefined;
  readonly diff?: readonly string[];
}

/** What a program reads of it. */
export function outcomeReport({ name, file, client, action }: Job, outcome: SetupOutcome) {
  const { changed, backup = null, check = null, diff } = outcome;
  return {
    client: name,
    file: file.path,
    ...(file.target === file.path ? {} : { target: file.target }),
    action: changed ? action : ("unchanged" as const),
    changed,
    backup,
    check,
    ...(diff ? { diff } : {}),
    reads: client.reads,
  };
}
