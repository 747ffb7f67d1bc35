import { useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import { toast } from "../../parts/float/toast.tsx";
import { Button } from "../../parts/look/button.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { canCancel, canRetry, type Entry, nameOf } from "./entry-state.tsx";

/** Does something to the queue, says so, and shows the change. */
export async function act(work: () => Promise<string>, done: () => void): Promise<void> {
  try {
    toast(await work());
    done();
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), { isFailure: true });
  }
}

/** Send again or cancel, as far as its state allows. */
export function EntryActions({
  entry,
  onDone,
}: {
  readonly entry: Entry;
  readonly onDone: (id: string) => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const { id, skill, state } = entry;
  const change = async (work: () => Promise<string>): Promise<void> => {
    setBusy(true);
    await act(work, () => onDone(id));
    setBusy(false);
  };
  const retry = () =>
    change(async () => {
      await post("/api/queue/{id}/retry", {}, { path: { id } });
      return `${skill} was sent again.`;
    });
  const cancel = () =>
    change(async () => {
      await post("/api/queue/{id}/cancel", {}, { path: { id } });
      return `${skill} was cancelled.`;
    });
  return (
    <span class="queued-actions">
      {canRetry(entry) && (
        <Button
          small
          icon="refresh"
          needs="runner"
          disabled={isBusy}
          data-act="retry"
          aria-label={`Send again: ${nameOf(entry)}`}
          onClick={() => void retry()}
        >
          Send again
        </Button>
      )}
      {canCancel(entry) && (
        <Button
          small
          icon="cross"
          look="danger"
          needs="runner"
          disabled={isBusy}
          data-act="cancel"
          aria-label={`Cancel ${nameOf(entry)}`}
          onClick={() => (state === "RUNNING" ? setAsked(true) : void cancel())}
        >
          Cancel
        </Button>
      )}
      {isAsked && (
        <CancelDialog entry={entry} onClose={() => setAsked(false)} onConfirm={() => void cancel()} />
      )}
    </span>
  );
}
