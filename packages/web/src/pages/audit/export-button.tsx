import { useState } from "preact/hooks";
import { download } from "../../api/bytes.ts";
import { toast } from "../../parts/float/toast.tsx";
import { Button } from "../../parts/look/button.tsx";

/** Saves the whole log, as `knack audit export` prints it. */
export function ExportButton() {
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      await download("/api/audit/export", "knack-audit.jsonl");
      toast("The log was exported. Its last line is the head of the chain.");
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), { isFailure: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button icon="download" disabled={isBusy} onClick={() => void save()}>
      Export
    </Button>
  );
}
