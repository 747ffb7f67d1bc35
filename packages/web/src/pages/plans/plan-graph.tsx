import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "../../parts/look/icon.tsx";
import { layoutPlan, NODE } from "./layout.ts";
import { stateOf, type Task } from "./task-state.tsx";

/** The tasks in layers. A click chooses one; a file can be dropped on it. The list beside it says the same. */
export function PlanGraph({
  tasks,
  chosen,
  onChoose,
  onFile,
}: {
  readonly tasks: readonly Task[];
  readonly chosen: string | null;
  readonly onChoose: (task: string) => void;
  readonly onFile: (task: Task, file: File) => void;
}) {
  const shape = JSON.stringify(tasks.map(({ id, depends_on }) => [id, depends_on]));
  const { width, height, nodes, edges } = useMemo(() => layoutPlan(tasks), [shape]);
  const [box, scale] = useFit(width);
  const status = new Map(tasks.map((task) => [task.id, task.status]));
  return (
    <section class="plan-graph" aria-label="Task graph" tabIndex={0} ref={box}>
      <div class="plan-fit" style={{ width: `${width * scale}px`, height: `${height * scale}px` }}>
        <div
          class="plan-canvas"
          style={{ width: `${width}px`, height: `${height}px`, transform: `scale(${scale})` }}
        >
          <svg width={width} height={height} aria-hidden="true">
            {edges.map(({ from, to, path }) => (
              <path
                key={`${from} ${to}`}
                d={path}
                class={`plan-edge ${status.get(from) === "DONE" ? "plan-edge-done" : ""} ${
                  chosen === from || chosen === to ? "plan-edge-chosen" : ""
                }`}
              />
            ))}
          </svg>
          {tasks.map((task) => (
            <Node
              key={task.id}
              task={task}
              at={nodes.get(task.id) ?? { x: 0, y: 0 }}
              isChosen={task.id === chosen}
              onChoose={() => onChoose(task.id)}
              onFile={(file) => onFile(task, file)}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

/** Smaller text is hard to read; a wider graph scrolls. */
const SMALLEST = 0.78;

/** Shrinks the graph a little where that makes it fit. */
function useFit(width: number): [RefObject<HTMLElement | null>, number] {
  const box = useRef<HTMLElement>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0));
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const fitting = room === 0 ? 1 : Math.min(1, room / width);
  return [box, fitting < SMALLEST ? 1 : fitting];
}

function Node({
  task,
  at,
  isChosen,
  onChoose,
  onFile,
}: {
  readonly task: Task;
  readonly at: { readonly x: number; readonly y: number };
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onFile: (file: File) => void;
}) {
  const [isOver, setOver] = useState(false);
  const { means, icon, words } = stateOf(task);
  return (
    <button
      type="button"
      class={`plan-node plan-node-${means} ${isChosen ? "plan-node-chosen" : ""} ${isOver ? "plan-node-over" : ""}`}
      style={{
        transform: `translate(${at.x}px, ${at.y}px)`,
        width: `${NODE.width}px`,
        height: `${NODE.height}px`,
      }}
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
      <span class="plan-node-title clip">{task.title}</span>
      <span class="plan-node-state">
        <Icon name={icon} size={14} />
        {words}
        {task.cached && <span class="quiet"> · cached</span>}
      </span>
      {task.skill && <span class="plan-node-skill mono quiet clip">{task.skill}</span>}
    </button>
  );
}
