import { useResource } from "../../api/resource.ts";
import { Button } from "../../parts/look/button.tsx";
import { Loaded } from "../../parts/state/states.tsx";
import { EntryRow } from "./entry-row.tsx";
import type { Worker } from "./entry-state.tsx";

/** The run of a link that is in none of the lists, because it ended long ago or many others wait. */
export function LinkedEntry({
  id,
  workers,
  onDone,
  onClose,
}: {
  readonly id: string;
  readonly workers: readonly Worker[];
  readonly onDone: (id: string) => void;
  readonly onClose: () => void;
}) {
  const entry = useResource("/api/queue/{id}", { path: { id } }, { reloadOn: ["log", "runs"] });
  return (
    <section class="queue-section" aria-labelledby="queue-linked">
      <div class="queue-section-head">
        <h2 id="queue-linked">This run</h2>
        <Button small look="quiet" icon="cross" onClick={onClose}>
          Close
        </Button>
      </div>
      <Loaded of={entry} rows={3}>
        {(data) => (
          <ul class="queued-list" aria-labelledby="queue-linked">
            <EntryRow entry={data} workers={workers} isOpen onDone={onDone} />
          </ul>
        )}
      </Loaded>
    </section>
  );
}
