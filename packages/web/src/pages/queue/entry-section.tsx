import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Button } from "../../parts/look/button.tsx";
import { count } from "../../parts/look/words.tsx";
import { EntryRow } from "./entry-row.tsx";
import type { Entry, Worker } from "./entry-state.tsx";

/** More are one press away, so that a long list does not hide the next. */
const FIRST = 10;

/** The runs of one state. */
export function EntrySection({
  title,
  entries,
  total,
  workers,
  chosen,
  onDone,
  action,
}: {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** How many there are, where the server sends some of them and counts the rest. */
  readonly total?: number;
  readonly workers: readonly Worker[];
  readonly chosen: string | null;
  readonly onDone: (id: string) => void;
  readonly action?: ComponentChildren;
}) {
  const name = useId();
  const [isWhole, setWhole] = useState(false);
  if (entries.length === 0) return null;
  const isChosenLater = entries.findIndex(({ id }) => id === chosen) >= FIRST;
  const shown = isWhole || isChosenLater ? entries : entries.slice(0, FIRST);
  return (
    <section class="queue-section" aria-labelledby={name}>
      <div class="queue-section-head">
        <h2 id={name}>
          {title} {total !== undefined && <span class="quiet">{count(total)}</span>}
        </h2>
        {action}
      </div>
      <ul class="queued-list" aria-labelledby={name}>
        {shown.map((entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            workers={workers}
            isOpen={entry.id === chosen}
            onDone={onDone}
          />
        ))}
      </ul>
      {shown.length < entries.length ? (
        <Button small look="quiet" icon="down" onClick={() => setWhole(true)}>
          Show {count(entries.length - shown.length)} more
        </Button>
      ) : (
        total !== undefined &&
        entries.length < total && (
          <p class="small quiet">
            And {count(total - entries.length)} more; <code>knack queue --limit {total}</code> lists them.
          </p>
        )
      )}
    </section>
  );
}
