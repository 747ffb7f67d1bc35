import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Answer, post } from "../../api/client.ts";
import { ActionButton } from "../../parts/action.tsx";
import { Facts } from "../../parts/list-page.tsx";
import {
  Badge,
  Button,
  CopyButton,
  CopyText,
  count,
  duration,
  Icon,
  type State,
  Time,
} from "../../parts/look.tsx";
import { planPath, Section, useDetailTitle } from "../../parts/page.tsx";

type Entry = Answer<"/api/queue/{id}">;
export type Queue = Answer<"/api/queue">;
export type Worker = Queue["workers"][number];

/** More are one press away, so that a long list does not hide the next. */
const FIRST = 10;

export interface QueueState {
  readonly workers: readonly Worker[];
  readonly chosen: string | null;
  readonly onDone: (id: string) => void;
}

interface EntrySectionProps {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** How many there are, where the server sends some of them and counts the rest. */
  readonly total?: number;
  readonly action?: ComponentChildren;
  readonly queue: QueueState;
}

export function EntrySection({ title, entries, total, action, queue }: EntrySectionProps) {
  const [isWhole, setWhole] = useState(false);
  if (entries.length === 0) return null;
  const isChosenLater = entries.findIndex(({ id }) => id === queue.chosen) >= FIRST;
  const shown = isWhole || isChosenLater ? entries : entries.slice(0, FIRST);
  return (
    <Section title={title} number={total} aside={action}>
      <ul class="box" aria-label={title}>
        {shown.map((entry) => (
          <EntryRow key={entry.id} entry={entry} queue={queue} />
        ))}
      </ul>
      {shown.length < entries.length ? (
        <Button
          words={`Show ${count(entries.length - shown.length)} more`}
          small
          look="quiet"
          icon="down"
          onClick={() => setWhole(true)}
        />
      ) : (
        total !== undefined &&
        entries.length < total && (
          <p class="small quiet">
            And {count(total - entries.length)} more; <code>knack queue --limit {total}</code> lists them.
          </p>
        )
      )}
    </Section>
  );
}

export function EntryRow({ entry, queue }: { entry: Entry; queue: QueueState }) {
  const row = useRef<HTMLLIElement>(null);
  const { id, skill, task, state } = entry;
  const { workers, onDone } = queue;
  const isOpen = id === queue.chosen;
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen, state]);
  const note = noteOf(entry, workers);
  return (
    <li ref={row} class={isOpen ? "queued-open" : ""}>
      <div class="queued-line row pick">
        <a
          class="queued-link row"
          data-queued={id}
          href={isOpen ? "/queue" : `/queue/${encodeURIComponent(id)}`}
          aria-expanded={isOpen}
        >
          <Icon name={isOpen ? "down" : "chevron"} size={14} />
          <span class="list-state">
            <Badge {...STATES[state]} />
          </span>
          <span class="fill">
            <p class="clip">
              <span class="mono">{skill}</span>
              {task && <span class="quiet small"> {task}</span>}
            </p>
            {note !== "" && !isOpen && (
              <p class={`small ${state === "DEAD" || state === "FAILED" ? "fault" : "quiet"} clip`}>{note}</p>
            )}
          </span>
          <span class="quiet small nowrap">
            <Since entry={entry} />
          </span>
        </a>
        <EntryActions entry={entry} onDone={onDone} />
      </div>
      {isOpen && <EntryDetail entry={entry} workers={workers} />}
    </li>
  );
}

/** A running one: how long it has been running. Others: since when they are in their state. */
function Since({ entry: { state, since } }: { entry: Entry }) {
  if (state !== "RUNNING") return <Time at={since} />;
  const ms = Math.max(0, Date.now() - Date.parse(since));
  return <span title={new Date(since).toLocaleString()}>{duration(Math.floor(ms / 1_000) * 1_000)}</span>;
}

const SINCE: Readonly<Record<Entry["state"], string>> = {
  WAITING: "Queued",
  RUNNING: "Started",
  FAILED: "Failed",
  DEAD: "Failed",
  SUCCEEDED: "Ended",
  CANCELLED: "Cancelled",
};

function EntryDetail({ entry, workers }: { entry: Entry; workers: readonly Worker[] }) {
  const { id, skill, state, error, worker, since, priority, attempts, run, queued_by } = entry;
  useDetailTitle(skill, "Queue");
  const isFailure = state === "DEAD" || state === "FAILED";
  const note = isFailure ? error : state === "WAITING" ? noteOf(entry, workers) : null;
  return (
    <div class="queued-detail stack">
      {note && (
        <div class={`note ${isFailure ? "means-failed" : ""}`}>
          <p class="fill">{note}</p>
          <CopyButton text={note} name={isFailure ? "Copy the error" : "Copy the reason"} />
        </div>
      )}
      <Facts
        of={{
          [SINCE[state]]: <Time at={since} />,
          Worker: worker && workerName(worker, workers),
          Run: run && <a href={`/runs/${encodeURIComponent(run)}`}>Open the run</a>,
          Task: entry.task && <TaskLink task={entry.task} />,
          "Queued by": queued_by,
          Priority: priority !== 0 && count(priority),
          Failures:
            attempts > 0 && `${count(attempts)}${state === "FAILED" ? " of 3; it is tried again" : ""}`,
          Id: <CopyText text={id} name="Copy the id of the queued run" />,
        }}
      />
    </div>
  );
}

function TaskLink({ task }: { task: string }) {
  const [plan = "", name = ""] = task.split("/");
  if (name === "") return <>{task}</>;
  return (
    <a href={planPath(plan, name)}>
      {name} of {plan}
    </a>
  );
}

function EntryActions({ entry, onDone }: { entry: Entry; onDone: (id: string) => void }) {
  const { id, skill, task, state } = entry;
  const shared = { small: true, needs: "runner", onDone: () => onDone(id) } as const;
  return (
    <span class="queued-actions row">
      {canRetry(entry) && (
        <ActionButton
          {...shared}
          icon="refresh"
          data-act="retry"
          aria-label={`Send again: ${nameOf(entry)}`}
          run={() => post("/api/queue/{id}/retry", {}, { path: { id } })}
          done={`${skill} was sent again.`}
          words="Send again"
        />
      )}
      {canCancel(entry) && (
        <ActionButton
          {...shared}
          icon="cross"
          look="danger"
          data-act="cancel"
          aria-label={`Cancel ${nameOf(entry)}`}
          run={() => post("/api/queue/{id}/cancel", {}, { path: { id } })}
          done={`${skill} was cancelled.`}
          confirm={
            state === "RUNNING"
              ? {
                  title: `Cancel ${skill}`,
                  text: (
                    <>
                      <code>{skill}</code>
                      {task && ` of the task ${task}`} is running. Its worker ends it within a second, and it
                      is recorded as failed. You can send it again; it then starts anew.
                    </>
                  ),
                  yes: "Cancel the run",
                  no: "Keep it running",
                }
              : undefined
          }
          words="Cancel"
        />
      )}
    </span>
  );
}

const STATES: Readonly<Record<Entry["state"], State>> = {
  WAITING: { means: "waits", words: "Waiting" },
  RUNNING: { means: "waits", words: "Running", icon: "play" },
  FAILED: { means: "failed", words: "Failed", icon: "refresh" },
  DEAD: { means: "failed", words: "Dead" },
  SUCCEEDED: { means: "done", words: "Succeeded" },
  CANCELLED: { means: "off", words: "Cancelled" },
};

const canRetry = ({ state }: Entry): boolean =>
  state === "DEAD" || state === "FAILED" || state === "CANCELLED";

const canCancel = ({ state }: Entry): boolean =>
  state === "WAITING" || state === "RUNNING" || state === "FAILED";

/** What tells a run from others of the same skill. */
const nameOf = ({ skill, task, id }: Entry): string => `${skill} ${task ?? id.slice(0, 8)}`;

function workerName(id: string, workers: readonly Worker[]): string {
  const known = workers.find((worker) => worker.id === id);
  return known ? `${known.host}, process ${known.pid}` : id;
}

/** Why it is where it is: the reason why nobody takes it, the worker, or the error. */
function noteOf({ state, error, worker, attempts }: Entry, workers: readonly Worker[]): string {
  if (state === "WAITING") return error ?? "A worker takes it as soon as it is free.";
  if (state === "RUNNING") return worker === null ? "" : `On ${workerName(worker, workers)}`;
  if (state === "FAILED") return `Failed ${attempts} of 3 times, is tried again: ${error ?? ""}`;
  return error ?? "";
}
