import { Dialog } from "../../parts/float/dialog.tsx";
import { Button } from "../../parts/look/button.tsx";
import type { Entry } from "./entry-state.tsx";

/** What a running skill has done until now would be lost, so it is asked once more. */
export function CancelDialog({
  entry: { skill, task },
  onClose,
  onConfirm,
}: {
  readonly entry: Entry;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}) {
  return (
    <Dialog title={`Cancel ${skill}`} onClose={onClose}>
      <p class="prose">
        <code>{skill}</code>
        {task && ` of the task ${task}`} is running. Its worker ends it within a second, and it is recorded as
        failed. You can send it again; it then starts anew.
      </p>
      <div class="queue-dialog-end">
        <Button
          look="danger"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          Cancel the run
        </Button>
        <Button onClick={onClose}>Keep it running</Button>
      </div>
    </Dialog>
  );
}
