import type { ApiError } from "../../api/client.ts";
import { toast } from "../../parts/float/toast.tsx";
import { CopyButton } from "../../parts/look/copy-button.tsx";
import { Icon } from "../../parts/look/icon.tsx";
import { count, Time } from "../../parts/look/words.tsx";
import { PageHead } from "../../parts/page/title.tsx";
import { useQuery } from "../../parts/page/use-query.ts";
import { Stale } from "../../parts/state/states.tsx";
import { attachFile, fittingRequirement } from "./attach.ts";
import { Legend } from "./legend.tsx";
import { PlanActions } from "./plan-actions.tsx";
import { PlanGraph } from "./plan-graph.tsx";
import { Progress } from "./plan-list.tsx";
import { TaskItem } from "./task-item.tsx";
import type { Plan, Task } from "./task-state.tsx";
import { useFileDrag } from "./use-file-drag.ts";

/** One plan: its graph, and beside it a list that says the same and has the actions. */
export function PlanPage({
  plan,
  error,
  at,
  reload,
}: {
  readonly plan: Plan;
  readonly error: ApiError | undefined;
  readonly at: Date | undefined;
  readonly reload: () => void;
}) {
  const { query, change } = useQuery();
  const isDragging = useFileDrag();
  const chosen = query.task ?? null;
  const choose = (task: string): void => change({ task: task === chosen ? undefined : task });
  const done = plan.tasks.filter(({ status }) => status === "DONE").length;
  const attach = async (
    task: Task,
    file: File,
    requirement = fittingRequirement(task, file.name),
  ): Promise<void> => {
    if (!requirement) {
      toast(`${task.title} takes no file like ${file.name}.`, { isFailure: true });
      return;
    }
    try {
      await attachFile(plan.plan, task.id, requirement.name, file);
      toast(`${file.name} was attached to ${requirement.name}.`);
      reload();
    } catch (failure) {
      toast(failure instanceof Error ? failure.message : String(failure), { isFailure: true });
    }
  };
  return (
    <div class={`page plan-page ${isDragging ? "plan-dragging" : ""}`}>
      <a class="plan-back small" href="/plans">
        <Icon name="back" size={14} /> Plans
      </a>
      <PageHead title={plan.title}>
        <PlanActions plan={plan} reload={reload} />
      </PageHead>
      {error && at && <Stale at={at} error={error} />}
      {plan.run.error && (
        <p
          class={`plan-error ${plan.run.error.code === "SKILL_INTERRUPTED" ? "plan-error-off" : ""}`}
          role="status"
        >
          <Icon name="alert" /> {plan.run.error.message}
        </p>
      )}
      <div class="plan-facts small">
        <span class="plan-file">
          <code>{plan.file}</code>
          <CopyButton text={plan.file} name="Copy the path of the plan" />
        </span>
        <span class="plan-progress">
          <Progress done={done} tasks={plan.tasks.length} />
          {count(done)} of {count(plan.tasks.length)} done
        </span>
        <span class="quiet">
          {plan.run.running ? "Running since " : "Applied "}
          <Time at={plan.run.running ? (plan.run.started_at ?? plan.updated_at) : plan.updated_at} />
        </span>
        <Legend tasks={plan.tasks} />
      </div>
      <div class={`plan-body ${error ? "is-stale" : ""}`}>
        <PlanGraph
          tasks={plan.tasks}
          chosen={chosen}
          onChoose={choose}
          onFile={(task, file) => void attach(task, file)}
        />
        <ol class="task-list" aria-label="Tasks">
          {plan.tasks.map((task) => (
            <TaskItem
              key={task.id}
              plan={plan.plan}
              task={task}
              isChosen={task.id === chosen}
              onChoose={() => choose(task.id)}
              onFile={(file, requirement) => attach(task, file, requirement)}
              reload={reload}
            />
          ))}
        </ol>
      </div>
    </div>
  );
}
