import { useEffect, useRef } from "preact/hooks";
import { Facts } from "../../parts/list/facts.tsx";
import { Icon } from "../../parts/look/icon.tsx";
import { CodeBlock } from "../../parts/text/code-block.tsx";
import { shownJson } from "../../parts/text/shown-json.ts";
import { RequirementItem } from "./requirement-item.tsx";
import { type Requirement, type Task, TaskBadge } from "./task-state.tsx";

/** A task in words: its state, what it waits for and what to do; opened, everything about it. */
export function TaskItem({
  plan,
  task,
  isChosen,
  onChoose,
  onFile,
  reload,
}: {
  readonly plan: string;
  readonly task: Task;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onFile: (file: File, requirement: Requirement) => Promise<void>;
  readonly reload: () => void;
}) {
  const box = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) box.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const others = task.waits_for.filter(({ kind }) => kind === "task" || kind === "failure");
  const isOpen = isChosen || task.requirements.some(({ satisfied, required }) => required && !satisfied);
  return (
    <li ref={box} class={`task ${isChosen ? "task-chosen" : ""}`}>
      <button type="button" class="task-head" aria-expanded={isChosen} onClick={onChoose}>
        <Icon name={isChosen ? "down" : "chevron"} size={14} />
        <span class="task-title">{task.title}</span>
        <TaskBadge task={task} />
      </button>
      {others.length > 0 && (
        <ul class="task-waits small quiet" aria-label={`What ${task.title} waits for`}>
          {others.map(({ kind, name, text }) => (
            <li key={`${kind} ${name}`}>{text}</li>
          ))}
        </ul>
      )}
      {task.queued && <QueuedNote queued={task.queued} />}
      {task.error && (
        <p class="task-error small">
          <b class="mono">{task.error.code}</b> {task.error.message}
        </p>
      )}
      {task.kept?.map(({ path, kept_as }) => (
        <p key={path} class="small quiet">
          {path} had been edited. The edited file is kept as <code>{kept_as}</code>.
        </p>
      ))}
      {isOpen && task.requirements.length > 0 && (
        <ul class="requirements" aria-label={`Requirements of ${task.title}`}>
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

const QUEUED: Readonly<Record<string, string>> = {
  WAITING: "Waits in the queue.",
  RUNNING: "A worker runs it.",
  FAILED: "It failed, and a worker tries it again.",
};

/** Where it is in the queue, and why. */
function QueuedNote({ queued: { id, state, error } }: { readonly queued: NonNullable<Task["queued"]> }) {
  return (
    <p class="small quiet">
      <a href={`/queue/${id}`}>{QUEUED[state]}</a> {error}
    </p>
  );
}

function TaskFacts({ task }: { readonly task: Task }) {
  const inputs = task.inputs.map((input) =>
    "file" in input ? input.file : `${input.artifact} of ${input.task}`,
  );
  return (
    <div class="task-facts">
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
