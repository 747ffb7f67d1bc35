import { useRef, useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import { Dialog } from "../../parts/float/dialog.tsx";
import { toast } from "../../parts/float/toast.tsx";
import { Button } from "../../parts/look/button.tsx";
import { Icon } from "../../parts/look/icon.tsx";
import { Time } from "../../parts/look/words.tsx";
import type { Requirement, Task } from "./task-state.tsx";

interface Props {
  readonly plan: string;
  readonly task: Task;
  readonly requirement: Requirement;
  readonly onFile: (file: File) => Promise<void>;
  readonly reload: () => void;
}

const THERE: Readonly<Record<Requirement["kind"], string>> = {
  FILE: "attached",
  CONFIRMATION: "confirmed",
  SKILL_OUTPUT: "done",
};

/** What a task needs before it can run, how much of it is there, and the action that adds it. */
export function RequirementItem({ showsEvidence, ...props }: Props & { readonly showsEvidence: boolean }) {
  const { requirement } = props;
  const { name, kind, required, have, min_count, satisfied, evidences } = requirement;
  return (
    <li class="requirement">
      <div class="requirement-head">
        <span class={satisfied ? "requirement-done" : required ? "requirement-waits" : "quiet"}>
          <Icon name={satisfied ? "check" : "clock"} size={14} />
        </span>
        <span>
          <span class="mono">{name}</span>{" "}
          <span class="quiet small">
            {satisfied ? THERE[kind] : `${have} of ${min_count}`}
            {required ? "" : ", optional"}
          </span>
        </span>
        <Action {...props} />
      </div>
      {showsEvidence && evidences.length > 0 && (
        <ul class="evidences small" aria-label={`Evidence for ${name}`}>
          {evidences.map(({ type, path, run, by, kind: of, created_at }, place) => (
            <li key={place}>
              {type === "CONFIRMATION" ? `Confirmed${by ? ` by ${by}` : ""}` : <code>{path ?? of}</code>}
              {run && <a href={`/runs/${run}`}>Run</a>}
              <span class="quiet">
                <Time at={created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Action(props: Props) {
  const { plan, task, requirement } = props;
  if (requirement.kind === "FILE") return <Attach {...props} />;
  if (requirement.satisfied) return null;
  if (requirement.kind === "CONFIRMATION") return <Confirm {...props} />;
  if (requirement.skill === null) return null;
  const of = `${encodeURIComponent(requirement.skill)}&task=${encodeURIComponent(`${plan}/${task.id}`)}`;
  return (
    <a class="button button-plain button-small" href={`/runs?new=${of}`}>
      <Icon name="play" /> Run {requirement.skill}
    </a>
  );
}

/** A place to drop files, with a button that opens the browser's own dialog. */
function Attach({ requirement, onFile }: Props) {
  const [isOver, setOver] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const send = async (files: FileList | null | undefined): Promise<void> => {
    setBusy(true);
    for (const file of files ?? []) await onFile(file);
    setBusy(false);
    if (input.current) input.current.value = "";
  };
  const types = requirement.allowed_types;
  return (
    <div
      class={`attach ${isOver ? "attach-over" : ""}`}
      role="group"
      aria-label={`Attach a file as ${requirement.name}`}
      onDragEnter={() => setOver(true)}
      onDragLeave={(event) =>
        !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)
      }
      onDrop={(event) => {
        setOver(false);
        void send(event.dataTransfer?.files);
      }}
    >
      <span class="quiet small">Drop {types.length > 0 ? types.join(", ") : "a file"} here</span>
      <Button small icon="upload" needs="approver" disabled={isBusy} onClick={() => input.current?.click()}>
        Attach file
      </Button>
      <input
        ref={input}
        class="hidden-name"
        type="file"
        tabIndex={-1}
        multiple={requirement.min_count > 1}
        accept={types.map((type) => `.${type}`).join(",")}
        aria-label={`File for ${requirement.name}`}
        onChange={(event) => void send(event.currentTarget.files)}
      />
    </div>
  );
}

/** A confirmation is recorded for good, so it is asked once more. */
function Confirm({ plan, task, requirement, reload }: Props) {
  const [isAsking, setAsking] = useState(false);
  const confirm = async (): Promise<void> => {
    setAsking(false);
    try {
      const path = { id: plan, task: task.id };
      await post(
        "/api/plans/{id}/tasks/{task}/evidence",
        { requirement: requirement.name, confirm: true },
        { path },
      );
      toast(`${requirement.name} was confirmed.`);
      reload();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), { isFailure: true });
    }
  };
  return (
    <>
      <Button small icon="check" needs="approver" onClick={() => setAsking(true)}>
        Confirm
      </Button>
      {isAsking && (
        <Dialog title={`Confirm ${requirement.name}`} onClose={() => setAsking(false)}>
          <p class="prose">
            Your confirmation for the task <b>{task.title}</b> is recorded with your name and cannot be taken
            back.
          </p>
          <div class="plan-dialog-end">
            <Button onClick={() => setAsking(false)}>Not yet</Button>
            <Button look="main" icon="check" onClick={() => void confirm()}>
              Confirm
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
