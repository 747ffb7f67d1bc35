import { SkillError } from "@knack/core";
import type { GlobalOptions } from "../options.ts";
import { askConsent, type Consent } from "../terminal/ask-consent.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { makeBackup, removeBackup } from "./backups.ts";
import type { CheckResult } from "./check-client.ts";
import { removeClientFile, requireWritable, writeClientFile } from "./client-file.ts";
import type { Job } from "./plan/job.ts";
import type { Change } from "./plan/plan-change.ts";
import { showChange } from "./show-change.ts";
import { shown } from "./shown.ts";
import { outcomeReport } from "./tell.ts";

export interface ApplyOptions extends GlobalOptions {
  readonly print?: boolean;
  readonly yes?: boolean;
}

export interface After {
  /** The token stands in the file. */
  readonly hasToken?: boolean;
  readonly remarks: readonly string[];
  readonly check?: () => Promise<CheckResult>;
}

/** Shows the change, asks, makes a backup, writes, and says what came of it. */
export async function applyChange(
  job: Job,
  change: Change,
  options: ApplyOptions,
  after: After,
): Promise<void> {
  const { file, client, action } = job;
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
  const backup = writeChange(job, change, after.hasToken === true);
  const check = await after.check?.();
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
  const secret = !after.hasToken
    ? []
    : [`${shown(file.target, job)} has the token now; only you can read it. Keep it out of version control.`];
  for (const line of [...link, ...kept, ...secret, ...(check ? [check.message] : []), ...after.remarks])
    note(line);
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
