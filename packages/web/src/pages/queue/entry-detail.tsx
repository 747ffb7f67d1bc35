import { Facts } from "../../parts/list/facts.tsx";
import { CopyButton } from "../../parts/look/copy-button.tsx";
import { count, Time } from "../../parts/look/words.tsx";
import { useDetailTitle } from "../../parts/page/title.tsx";
import { type Entry, noteOf, type Worker, workerName } from "./entry-state.tsx";

const SINCE: Readonly<Record<Entry["state"], string>> = {
  WAITING: "Queued",
  RUNNING: "Started",
  FAILED: "Failed",
  DEAD: "Failed",
  SUCCEEDED: "Ended",
  CANCELLED: "Cancelled",
};

/** Everything about a queued run, with the ways to its run, its task and its plan. */
export function EntryDetail({
  entry,
  workers,
}: {
  readonly entry: Entry;
  readonly workers: readonly Worker[];
}) {
  const { id, skill, state, error, worker, since, priority, attempts, run, queued_by } = entry;
  useDetailTitle(skill, "Queue");
  const isFailure = state === "DEAD" || state === "FAILED";
  const note = isFailure ? error : state === "WAITING" ? noteOf(entry, workers) : null;
  return (
    <div class="queued-detail">
      {note && (
        <div class={isFailure ? "queued-fault" : "queued-reason"}>
          <p>{note}</p>
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
          Id: (
            <>
              <code class="clip">{id}</code>
              <CopyButton text={id} name="Copy the id of the queued run" />
            </>
          ),
        }}
      />
    </div>
  );
}

function TaskLink({ task }: { readonly task: string }) {
  const [plan = "", name = ""] = task.split("/");
  if (name === "") return <>{task}</>;
  return (
    <a href={`/plans/${encodeURIComponent(plan)}?task=${encodeURIComponent(name)}`}>
      {name} of {plan}
    </a>
  );
}
