import { print, printJson } from "../terminal/output.ts";
import { visiblePath } from "../terminal/visible.ts";
import type { CheckResult } from "./check-client.ts";
import type { Job } from "./job.ts";
import { tilde } from "./tilde.ts";

export interface Outcome {
  readonly changed: boolean;
  readonly backup?: string | undefined;
  readonly check?: CheckResult | undefined;
  readonly diff?: readonly string[];
}

/** What a program reads of it. */
export function tellProgram({ name, file, client, action }: Job, outcome: Outcome): void {
  const { changed, backup = null, check = null, diff } = outcome;
  printJson({
    client: name,
    file: file.path,
    ...(file.target === file.path ? {} : { target: file.target }),
    action: changed ? action : "unchanged",
    changed,
    backup,
    check,
    ...(diff ? { diff } : {}),
    reads: client.reads,
  });
}

export function tellUnchanged(job: Job, sentence: string): void {
  if (job.options.json) tellProgram(job, { changed: false });
  else print(`${sentence}: ${shown(job.file.path, job)}`);
}

export function shown(path: string, { place }: Pick<Job, "place">): string {
  return visiblePath(tilde(path, place));
}
