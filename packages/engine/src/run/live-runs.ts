import { AsyncLocalStorage } from "node:async_hooks";
import type { SkillRun } from "../store/runs/runs.ts";

/** As much as the record of a run keeps. */
const MAX_LENGTH = 64 * 1024;

interface LiveRun {
  readonly id: string;
  readonly skill: string;
  readonly startedAt: string;
  /** What it has printed so far, without secrets. */
  log(): string;
  /** Ends it. It is recorded as FAILED with `SKILL_INTERRUPTED`. */
  cancel(): void;
}

interface LiveEntry {
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
    // Text is only added at the end, so a reader can continue at an offset.
    let text = "";
    let isFull = false;
    const log = (): string => hide(text);
    this.#runs.set(id, { id, skill, startedAt, log, cancel: () => end.abort() });
    this.#tell();
    return {
      signal: end.signal,
      log,
      onLog: (line) => {
        onLog?.(line);
        if (isFull) return;
        isFull = text.length + line.length > MAX_LENGTH;
        text += isFull ? "… more when the run has ended …\n" : `${line}\n`;
        this.#tell();
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

const listener = new AsyncLocalStorage<(run: SkillRun) => void>();

/** Calls `started` with the run that `work` starts, or waits for elsewhere. A result from an earlier run starts none. */
export function followStart<T>(started: (run: SkillRun) => void, work: () => Promise<T>): Promise<T> {
  return listener.run(started, work);
}

export function tellStart(run: SkillRun): void {
  listener.getStore()?.(run);
}
