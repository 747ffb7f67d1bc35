import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { ApiError, post } from "../../api/client.ts";
import { Dialog } from "../../parts/float/dialog.tsx";
import { toast } from "../../parts/float/toast.tsx";
import { Button } from "../../parts/look/button.tsx";

/** Applies a plan from its file, as `knack plan apply`. */
export function ApplyForm() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="plus" look="main" needs="runner" onClick={() => setOpen(true)}>
        Apply a plan
      </Button>
      {isOpen && <ApplyDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ApplyDialog({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const [file, setFile] = useState("plan.yaml");
  const [fault, setFault] = useState("");
  const apply = async (): Promise<void> => {
    try {
      const { plan, changed } = await post("/api/plans", { file: file.trim() });
      toast(changed ? `${plan} was applied.` : `${plan} is unchanged.`);
      onClose();
      route(`/plans/${encodeURIComponent(plan)}`);
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : String(error));
    }
  };
  return (
    <Dialog title="Apply a plan" onClose={onClose}>
      <form
        class="plan-form"
        onSubmit={(event) => {
          event.preventDefault();
          void apply();
        }}
      >
        <label for="plan-file">File, as a path in the project</label>
        <input
          id="plan-file"
          autofocus
          value={file}
          spellcheck={false}
          autoComplete="off"
          aria-invalid={fault !== ""}
          aria-describedby="plan-fault"
          onInput={(event) => setFile(event.currentTarget.value)}
        />
        <p class="plan-fault small" id="plan-fault" aria-live="polite">
          {fault}
        </p>
        <Button type="submit" look="main" disabled={file.trim() === ""}>
          Apply
        </Button>
      </form>
    </Dialog>
  );
}
