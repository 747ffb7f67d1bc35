import type { GlobalOptions } from "../options.ts";
import { print, printJson } from "../terminal/output.ts";
import type { CheckResult } from "./check-client.ts";
import type { Job } from "./plan/job.ts";
import { shown } from "./shown.ts";

export interface Outcome {
  readonly changed: boolean;
  readonly backup?: string | undefined;
  readonly check?: CheckResult | undefined;
  readonly diff?: readonly string[];
}

/** What a program reads of it. */
export function outcomeReport({ name, file, client, action }: Job, outcome: Outcome) {
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

export function tellUnchanged(job: Job, sentence: string, options: GlobalOptions): void {
  if (options.json) printJson(outcomeReport(job, { changed: false }));
  else print(`${sentence}: ${shown(job.file.path, job)}`);
}
