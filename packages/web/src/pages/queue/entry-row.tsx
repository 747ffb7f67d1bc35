import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../parts/look/icon.tsx";
import { duration, Time } from "../../parts/look/words.tsx";
import { EntryActions } from "./entry-actions.tsx";
import { EntryDetail } from "./entry-detail.tsx";
import { type Entry, EntryState, noteOf, type Worker } from "./entry-state.tsx";

/** A queued run: what it is, why it is there and what to do; opened, everything about it. */
export function EntryRow({
  entry,
  workers,
  isOpen,
  onDone,
}: {
  readonly entry: Entry;
  readonly workers: readonly Worker[];
  readonly isOpen: boolean;
  readonly onDone: (id: string) => void;
}) {
  const row = useRef<HTMLLIElement>(null);
  const { id, skill, task, state } = entry;
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen, state]);
  const note = noteOf(entry, workers);
  return (
    <li ref={row} class={`queued ${isOpen ? "queued-open" : ""}`}>
      <div class="queued-line">
        <a
          class="queued-head"
          data-queued={id}
          href={isOpen ? "/queue" : `/queue/${encodeURIComponent(id)}`}
          aria-expanded={isOpen}
        >
          <Icon name={isOpen ? "down" : "chevron"} size={14} />
          <span class="queued-state">
            <EntryState state={state} />
          </span>
          <span class="queued-what">
            <span class="clip">
              <span class="mono">{skill}</span>
              {task && <span class="quiet small"> {task}</span>}
            </span>
            {note !== "" && !isOpen && (
              <span class={`small clip ${state === "DEAD" || state === "FAILED" ? "queued-error" : "quiet"}`}>
                {note}
              </span>
            )}
          </span>
          <span class="queued-when quiet small">
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
function Since({ entry: { state, since } }: { readonly entry: Entry }) {
  if (state !== "RUNNING") return <Time at={since} />;
  const ms = Math.max(0, Date.now() - Date.parse(since));
  return <span title={new Date(since).toLocaleString()}>{duration(Math.floor(ms / 1_000) * 1_000)}</span>;
}
