import { SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import type { Engine, PlanStatus, QueueRequest, RunSkillRequest } from "@knack/engine";
import type { GlobalOptions } from "../../options.ts";
import { note, print, printJson } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";

interface QueueOptions extends GlobalOptions {
  readonly queue?: boolean;
  readonly priority?: string;
  /** `false` for `--no-wait`. */
  readonly wait?: boolean;
}

/** They would be ignored, and whoever wrote them expects something of them. */
export function refuseQueueOptions({ queue, priority, wait }: QueueOptions): void {
  if (queue) return;
  const given = priority !== undefined ? "--priority" : wait === false ? "--no-wait" : undefined;
  if (given) throw new SkillError("INVALID_PARAM", `${given} needs --queue.`);
}

function readPriority(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^-?\d{1,3}$/.test(given)) return Number(given);
  throw new SkillError("INVALID_PARAM", `--priority takes a whole number, not ${quote(given)}.`);
}

/** Queues a run and waits for it; `undefined` where nothing is left to say. Ctrl-C ends the waiting alone. */
export async function runInQueue(
  engine: Engine,
  name: string,
  { signal, onLog: _, onWait: __, ...request }: RunSkillRequest & { readonly signal: AbortSignal },
  options: QueueOptions,
): Promise<Awaited<ReturnType<Engine["run"]>> | undefined> {
  const asked: QueueRequest = { ...request, priority: readPriority(options.priority) };
  const queued = await engine.enqueue(name, asked);
  if (queued.queued && options.wait === false) {
    const { id, skill, state } = queued.queued;
    if (options.json) printJson({ id, skill, state });
    else print(`${state} ${escapeControl(skill)}\n  queued     ${id}`);
    return undefined;
  }
  try {
    return await (await engine.queue()).follow(queued, signal, tellReason);
  } catch (error) {
    if (signal.aborted && queued.queued) {
      // Without a cache the same command asks for another run.
      const again = queued.prepared.caching ? " The same command waits for its result again." : "";
      note(
        `The run stays in the queue. "knack queue" shows it, "knack queue cancel ${queued.queued.id}" cancels it.${again}`,
      );
    }
    throw error;
  }
}

export async function runPlanInQueue(
  engine: Engine,
  file: string,
  shared: Parameters<Engine["runPlan"]>[1] & { readonly signal: AbortSignal },
  options: QueueOptions,
): Promise<PlanStatus> {
  const priority = readPriority(options.priority);
  try {
    return await engine.runPlanQueued(file, {
      ...shared,
      priority,
      follows: options.wait !== false,
      waits: tellReason,
    });
  } catch (error) {
    if (shared.signal.aborted)
      note(
        'Queued runs stay in the queue. "knack queue" shows them, "knack queue cancel <id>" cancels one, and the same command follows them again.',
      );
    throw error;
  }
}

const told = new Set<string>();

/** A plan may have a thousand runs that wait for the same. */
function tellReason(reason: string): void {
  if (told.has(reason)) return;
  told.add(reason);
  note(`Waiting: ${escapeControl(reason)}`);
}
