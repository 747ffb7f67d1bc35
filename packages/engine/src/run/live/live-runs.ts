import type { SkillRun } from "../../store/runs/skill-run.ts";
import { LiveLog } from "./live-log.ts";

/** A run that this process executes. */
export interface LiveRun {
  readonly id: string;
  readonly skill: string;
  readonly startedAt: string;
  /** What it has printed so far, without secrets. */
  log(): string;
  /** Ends it. It is recorded as FAILED with `SKILL_INTERRUPTED`. */
  cancel(): void;
}

/** What the execution of a run needs of its entry here. */
export interface LiveEntry {
  readonly signal: AbortSignal;
  readonly onLog: (line: string) => void;
  log(): string;
  end(): void;
}

/** The runs that this process executes now, so that they can be watched and cancelled. */
export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();
  readonly #followers = new Set<() => void>();

  get(id: string): LiveRun | undefined {
    return this.#runs.get(id);
  }

  get all(): readonly LiveRun[] {
    return [...this.#runs.values()];
  }

  /** Calls `changed` when a run begins, prints or ends, until the answer is called. */
  follow(changed: () => void): () => void {
    this.#followers.add(changed);
    return () => void this.#followers.delete(changed);
  }

  /** `hide` removes secrets from the log; `onLog` also gets each line. */
  begin(
    { id, skill, startedAt }: SkillRun,
    hide: (text: string) => string,
    onLog: ((line: string) => void) | undefined,
  ): LiveEntry {
    const end = new AbortController();
    const lines = new LiveLog();
    const log = (): string => hide(lines.text);
    this.#runs.set(id, { id, skill, startedAt, log, cancel: () => end.abort() });
    this.#tell();
    return {
      signal: end.signal,
      log,
      onLog: (line) => {
        if (lines.add(line)) this.#tell();
        onLog?.(line);
      },
      end: () => {
        this.#runs.delete(id);
        this.#tell();
      },
    };
  }

  #tell(): void {
    for (const changed of [...this.#followers]) changed();
  }
}
