import { useMemo, useState } from "preact/hooks";
import { boxStyle, Layers, layOut, type Placed, useFit } from "../../parts/layers.tsx";
import { Icon } from "../../parts/look.tsx";
import { stateOf, type Task } from "./task-item.tsx";

const SIZE = { width: 184, height: 72 } as const;

interface PlanGraphProps {
  readonly tasks: readonly Task[];
  readonly chosen: string | null;
  readonly onChoose: (task: string) => void;
  readonly onFile: (task: Task, file: File) => void;
}

/** The tasks in layers. A click chooses one; a file can be dropped on it. The list beside it says the same. */
export function PlanGraph({ tasks, chosen, onChoose, onFile }: PlanGraphProps) {
  const shape = JSON.stringify(tasks.map(({ id, depends_on }) => [id, depends_on]));
  const drawn = useMemo(() => {
    const edges = tasks.flatMap(({ id, depends_on }) => depends_on.map((from) => ({ from, to: id })));
    return layOut(
      tasks.map(({ id }) => ({ id, ...SIZE })),
      edges,
    );
  }, [shape]);
  const [view, scale] = useFit(drawn.width);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return (
    <Layers
      {...{ drawn, view, scale }}
      class="plan-graph box"
      role="region"
      aria-label="Task graph"
      tabIndex={0}
      lines={drawn.lines.map(({ from, to, path }) => (
        <path
          key={`${from} ${to}`}
          d={path}
          class={`plan-edge ${byId.get(from)?.status === "DONE" ? "plan-edge-done" : ""} ${
            chosen === from || chosen === to ? "plan-edge-chosen" : ""
          }`}
        />
      ))}
    >
      {drawn.boxes.map((box) => {
        const task = byId.get(box.id);
        return (
          task && (
            <Node
              key={task.id}
              task={task}
              box={box}
              isChosen={task.id === chosen}
              onChoose={() => onChoose(task.id)}
              onFile={(file) => onFile(task, file)}
            />
          )
        );
      })}
    </Layers>
  );
}

interface NodeProps {
  readonly task: Task;
  readonly box: Placed;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onFile: (file: File) => void;
}

function Node({ task, box, isChosen, onChoose, onFile }: NodeProps) {
  const [isOver, setOver] = useState(false);
  const { means, icon, words } = stateOf(task);
  return (
    <button
      type="button"
      class={`plan-node column box pick means-${means} ${isOver ? "plan-node-over" : ""}`}
      style={boxStyle(box)}
      aria-pressed={isChosen}
      title={task.waits_for.map(({ text }) => text).join("\n") || task.title}
      onClick={onChoose}
      onDragEnter={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        for (const file of event.dataTransfer?.files ?? []) onFile(file);
      }}
    >
      <b class="clip">{task.title}</b>
      <span class="plan-node-state row">
        <Icon name={icon} size={14} />
        {words}
        {task.cached && <span class="quiet"> · cached</span>}
      </span>
      {task.skill && <span class="mono quiet small clip">{task.skill}</span>}
    </button>
  );
}
