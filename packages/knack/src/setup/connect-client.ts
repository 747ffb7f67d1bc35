import { createHash } from "node:crypto";
import { SkillError } from "@knack/core";
import type { ClientName } from "../client-names.ts";
import { type CheckResult, checkClient } from "./check-client.ts";
import { requireWritable } from "./client-file.ts";
import type { UserPlace } from "./clients.ts";
import { type PlannedJob, planToAdd, planToRemove } from "./plan-job.ts";
import { outcomeReport, writeChange } from "./setup.ts";
import { showChange, shown } from "./show-change.ts";

export type ConnectAction = "set up" | "remove";

/** What `knack setup <client>` would change, for a page that shows it before it asks. */
export interface ConnectPreview {
  readonly client: ClientName;
  readonly title: string;
  readonly action: ConnectAction;
  readonly file: string;
  readonly changes: boolean;
  readonly diff: readonly string[];
  readonly remarks: readonly string[];
  /** Names the file as it is now and what it would become: only what was shown is written. */
  readonly seen: string;
}

export async function previewConnect(
  name: ClientName,
  action: ConnectAction,
  place: UserPlace,
): Promise<ConnectPreview> {
  const planned = await plan(name, action, place);
  const { job, change, remarks } = planned;
  return {
    client: name,
    title: job.client.title,
    action,
    file: shown(job.file.path, job),
    changes: change !== undefined,
    diff: change ? showChange(job.file.text ?? "", change.text ?? "") : [],
    remarks,
    seen: markOf(planned),
  };
}

/** Writes what the preview showed, and asks the client whether it connects. Throws `SkillError` where the file is another. */
export async function connect(
  name: ClientName,
  action: ConnectAction,
  seen: string,
  place: UserPlace,
  signal: AbortSignal,
) {
  const planned = await plan(name, action, place);
  const { job, change, hasToken } = planned;
  if (markOf(planned) !== seen)
    throw new SkillError(
      "CONFLICT",
      `${shown(job.file.path, job)} has changed since the change was shown. Look at it again.`,
    );
  if (!change) return outcomeReport(job, { changed: false });
  await requireWritable(job.file);
  const backup = writeChange(job, change, hasToken);
  const check: CheckResult | undefined =
    action === "set up" ? await checkClient(job.client, place.env, signal) : undefined;
  return outcomeReport(job, { changed: true, backup, check });
}

async function plan(name: ClientName, action: ConnectAction, place: UserPlace): Promise<PlannedJob> {
  return action === "remove" ? planToRemove(name, place) : planToAdd(name, place, {});
}

function markOf({ job, change }: PlannedJob): string {
  const now = [job.action, job.file.path, job.file.text ?? null, change ? (change.text ?? null) : false];
  return createHash("sha256").update(JSON.stringify(now)).digest("hex");
}
