import { useEffect, useState } from "preact/hooks";
import { type Answer, ApiError, get, post } from "../../api/client.ts";
import { Dialog } from "../../parts/float/dialog.tsx";
import { toast } from "../../parts/float/toast.tsx";
import { Button } from "../../parts/look/button.tsx";
import { Failed, Loading } from "../../parts/state/states.tsx";
import { Diff } from "../../parts/text/diff.tsx";
import type { Wanted } from "./client.ts";

type Preview = Answer<"/api/connect/{client}">;

/** Shows what would be written into the file of an agent, and writes it after a yes. */
export function Change({
  wanted,
  onClose,
  onDone,
}: {
  readonly wanted: Wanted;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { title, action } = wanted;
  const [preview, setPreview] = useState<Preview>();
  const [error, setError] = useState<ApiError>();
  const [isWriting, setWriting] = useState(false);
  const look = (): void => {
    setError(undefined);
    previewOf(wanted).then(setPreview, (failure: ApiError) => setError(failure));
  };
  useEffect(look, []);
  const write = async (): Promise<void> => {
    if (!preview) return;
    setWriting(true);
    try {
      await applied(wanted, preview, onDone);
      onDone();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setWriting(false);
      setError(failure);
    }
  };
  return (
    <Dialog title={action === "set up" ? `Set up ${title}` : `Remove Knack from ${title}`} onClose={onClose}>
      {error ? (
        <Failed error={error} onRetry={look} />
      ) : !preview ? (
        <Loading rows={4} />
      ) : (
        <div class="change">
          <p class="small">
            {preview.changes ? "This changes" : "Nothing to change in"} <code>{preview.file}</code>
          </p>
          {preview.changes && <Diff text={preview.diff.join("\n")} label={`Change of ${preview.file}`} />}
          {preview.remarks.map((remark) => (
            <p key={remark} class="small quiet">
              {remark}
            </p>
          ))}
          <div class="change-buttons">
            {preview.changes && (
              <Button
                look={action === "set up" ? "main" : "danger"}
                disabled={isWriting}
                onClick={() => void write()}
              >
                {isWriting
                  ? "Writing and checking …"
                  : action === "set up"
                    ? "Write the change"
                    : "Remove the entry"}
              </Button>
            )}
            <Button onClick={onClose}>{preview.changes ? "Cancel" : "Close"}</Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function previewOf({ client, action }: Wanted): Promise<Preview> {
  return get("/api/connect/{client}", { path: { client }, query: { action } });
}

/** Writes what was shown; the toast says what the agent's own check found, and undoes it. */
async function applied(wanted: Wanted, { seen }: Preview, onDone: () => void): Promise<void> {
  const { client, title, action } = wanted;
  const outcome = await post("/api/connect/{client}", { action, seen }, { path: { client } });
  const said = action === "set up" ? `${title} is set up.` : `${title} is no longer set up.`;
  const undo = async (): Promise<void> => {
    const back: Wanted = { ...wanted, action: action === "set up" ? "remove" : "set up" };
    try {
      const preview = await previewOf(back);
      await post("/api/connect/{client}", { action: back.action, seen: preview.seen }, { path: { client } });
      toast(`${title} is as it was before.`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(error.message, { isFailure: true });
    }
    onDone();
  };
  const isBroken = outcome.check?.connected === false;
  toast(`${said}${outcome.check ? ` ${outcome.check.message}` : ""}`, {
    undo: () => void undo(),
    isFailure: isBroken,
  });
}
