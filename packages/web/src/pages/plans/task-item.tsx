import { useEffect, useRef, useState } from "preact/hooks";
import { type Answer, post } from "../../api/client.ts";
import { ActionButton } from "../../parts/action.tsx";
import { CodeBlock, shownJson } from "../../parts/code.tsx";
import { Facts } from "../../parts/list-page.tsx";
import { Badge, Button, Icon, type IconName, type State, Time } from "../../parts/look.tsx";

export type Plan = Answer<"/api/plans/{id}">;
export type Task = Plan["tasks"][number];
export type Requirement = Task["requirements"][number];

interface TaskState extends State {
  readonly icon: IconName;
  readonly words: string;
}

const STATES: Readonly<Partial<Record<Task["status"], TaskState>>> = {
  DONE: { means: "done", icon: "check", words: "Done" },
  IN_PROGRESS: { means: "waits", icon: "play", words: "Running" },
  READY: { means: "plain", icon: "chevron", words: "Ready" },
  FAILED: { means: "failed", icon: "cross", words: "Failed" },
  ABANDONED: { means: "off", icon: "off", words: "Abandoned" },
  PENDING: { means: "off", icon: "clock", words: "Pending" },
};
const BLOCKED: Readonly<Record<string, TaskState>> = {
  WAITING_INPUT: { means: "waits", icon: "upload", words: "Waits for a file" },
  WAITING_APPROVAL: { means: "waits", icon: "clock", words: "Waits for you" },
  WAITING_SKILL: { means: "waits", icon: "runs", words: "Waits for a skill" },
};
const STUCK: TaskState = { means: "failed", icon: "alert", words: "Stuck" };

/** A task's state as an icon and a word; the colour says no more than they do. */
export const stateOf = ({ status, blocked_reason }: Pick<Task, "status" | "blocked_reason">): TaskState =>
  STATES[status] ?? BLOCKED[blocked_reason ?? ""] ?? STUCK;

/** The requirement of a task that takes a file of this name: one that still misses files first. */
export function fittingRequirement(
  task: Pick<Task, "requirements">,
  fileName: string,
): Requirement | undefined {
  const fitting = task.requirements.filter((one) => takesFile(one, fileName));
  return fitting.find(({ satisfied }) => !satisfied) ?? fitting[0];
}

export function takesFile(
  { kind, allowed_types }: Pick<Requirement, "kind" | "allowed_types">,
  fileName: string,
): boolean {
  if (kind !== "FILE") return false;
  const dot = fileName.lastIndexOf(".");
  const ending = dot < 0 ? "" : fileName.slice(dot + 1).toLowerCase();
  return allowed_types.length === 0 || allowed_types.includes(ending);
}

const QUEUED: Readonly<Record<string, string>> = {
  WAITING: "Waits in the queue.",
  RUNNING: "A worker runs it.",
  FAILED: "It failed, and a worker tries it again.",
};

interface TaskItemProps {
  readonly plan: string;
  readonly task: Task;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onFile: (file: File, requirement: Requirement) => Promise<void>;
  readonly reload: () => void;
}

export function TaskItem({ plan, task, isChosen, onChoose, onFile, reload }: TaskItemProps) {
  const box = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) box.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const others = task.waits_for.filter(({ kind }) => kind === "task" || kind === "failure");
  const isOpen = isChosen || task.requirements.some(({ satisfied, required }) => required && !satisfied);
  return (
    <li ref={box} class={`task box-item ${isChosen ? "task-chosen" : ""}`}>
      <button type="button" class="task-head pick row" aria-expanded={isChosen} onClick={onChoose}>
        <Icon name={isChosen ? "down" : "chevron"} size={14} />
        <span class="fill">{task.title}</span>
        <Badge {...stateOf(task)} />
      </button>
      {others.length > 0 && (
        <ul class="small quiet" aria-label={`What ${task.title} waits for`}>
          {others.map(({ kind, name, text }) => (
            <li key={`${kind} ${name}`}>{text}</li>
          ))}
        </ul>
      )}
      {task.queued && (
        <p class="small quiet">
          <a href={`/queue/${task.queued.id}`}>{QUEUED[task.queued.state]}</a> {task.queued.error}
        </p>
      )}
      {task.error && (
        <p class="fault">
          <b class="mono">{task.error.code}</b> {task.error.message}
        </p>
      )}
      {task.kept?.map(({ path, kept_as }) => (
        <p key={path} class="small quiet">
          {path} had been edited. The edited file is kept as <code>{kept_as}</code>.
        </p>
      ))}
      {isOpen && task.requirements.length > 0 && (
        <ul aria-label={`Requirements of ${task.title}`}>
          {task.requirements.map((requirement) => (
            <RequirementItem
              key={requirement.name}
              plan={plan}
              task={task}
              requirement={requirement}
              showsEvidence={isChosen}
              onFile={(file) => onFile(file, requirement)}
              reload={reload}
            />
          ))}
        </ul>
      )}
      {isChosen && <TaskFacts task={task} />}
    </li>
  );
}

function TaskFacts({ task }: { task: Task }) {
  const inputs = task.inputs.map((input) =>
    "file" in input ? input.file : `${input.artifact} of ${input.task}`,
  );
  return (
    <div class="stack">
      <Facts
        of={{
          Id: <code>{task.id}</code>,
          Skill: task.skill && <code>{task.skill}</code>,
          After: task.depends_on.length > 0 && task.depends_on.join(", "),
          Inputs: inputs.length > 0 && inputs.join(", "),
          Run: task.run && <a href={`/runs/${task.run}`}>Open the last run</a>,
          Failures: task.failures > 0 && `${task.failures} in a row`,
        }}
      />
      {Object.keys(task.params).length > 0 && (
        <CodeBlock text={shownJson(task.params)} language="json" label={`Parameters of ${task.title}`} wrap />
      )}
    </div>
  );
}

interface RequirementProps {
  readonly plan: string;
  readonly task: Task;
  readonly requirement: Requirement;
  readonly onFile: (file: File) => Promise<void>;
  readonly reload: () => void;
}

const DONE_WORDS: Readonly<Record<Requirement["kind"], string>> = {
  FILE: "Attached",
  CONFIRMATION: "Given",
  SKILL_OUTPUT: "Done",
};

function RequirementItem({
  showsEvidence,
  ...props
}: RequirementProps & { readonly showsEvidence: boolean }) {
  const { name, kind, required, have, min_count, satisfied, evidences } = props.requirement;
  return (
    <li>
      <div class="requirement row wrap">
        <Badge
          means={satisfied ? "done" : required ? "waits" : "off"}
          words={satisfied ? DONE_WORDS[kind] : `${have} of ${min_count}`}
        />
        <span>
          <span class="mono">{name}</span> {!required && <span class="quiet small">optional</span>}
        </span>
        <RequirementAction {...props} />
      </div>
      {showsEvidence && evidences.length > 0 && (
        <ul class="evidences small" aria-label={`Evidence for ${name}`}>
          {evidences.map(({ type, path, run, by, kind: of, created_at }, place) => (
            <li key={place} class="row wrap">
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

function RequirementAction(props: RequirementProps) {
  const { plan, task, requirement } = props;
  if (requirement.kind === "FILE") return <Attach {...props} />;
  if (requirement.satisfied) return null;
  if (requirement.kind === "CONFIRMATION") return <Confirm {...props} />;
  if (requirement.skill === null) return null;
  const of = `${encodeURIComponent(requirement.skill)}&task=${encodeURIComponent(`${plan}/${task.id}`)}`;
  return <Button words={`Run ${requirement.skill}`} small icon="play" href={`/runs?new=${of}`} />;
}

function Attach({ requirement, onFile }: RequirementProps) {
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
      class={`attach row ${isOver ? "attach-over" : ""}`}
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
      <Button
        words="Attach file"
        small
        icon="upload"
        needs="approver"
        disabled={isBusy}
        onClick={() => input.current?.click()}
      />
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
function Confirm({ plan, task, requirement: { name }, reload }: RequirementProps) {
  return (
    <ActionButton
      words="Confirm"
      small
      icon="check"
      needs="approver"
      run={() =>
        post(
          "/api/plans/{id}/tasks/{task}/evidence",
          { requirement: name, confirm: true },
          { path: { id: plan, task: task.id } },
        )
      }
      done={`${name} was confirmed.`}
      onDone={reload}
      confirm={{
        title: `Confirm ${name}`,
        text: (
          <>
            Your confirmation for the task <b>{task.title}</b> is recorded with your name and cannot be taken
            back.
          </>
        ),
        yes: "Confirm",
        no: "Not yet",
      }}
    />
  );
}
