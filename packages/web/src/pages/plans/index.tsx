import { useEffect, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { post, request, urlOf } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { ActionButton, act, FormButton, TextField } from "../../parts/action.tsx";
import { toast } from "../../parts/float.tsx";
import { FilterField } from "../../parts/list-page.tsx";
import { Badge, Command, CopyText, count, Icon, Time } from "../../parts/look.tsx";
import { PageHead, planPath, useQuery } from "../../parts/page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Empty, Loaded } from "../../parts/states.tsx";
import { PlanGraph } from "./plan-graph.tsx";
import { fittingRequirement, type Plan, stateOf, type Task, TaskItem } from "./task-item.tsx";
import "./plans.css";

export function Page() {
  const { id } = useRoute().params;
  return id === undefined ? <PlanList /> : <OnePlan key={id} id={id} />;
}

function PlanList() {
  return (
    <div class="page page-plans">
      <PageHead title="Plans">
        <ApplyButton />
      </PageHead>
      <Loaded of={useResource("/api/plans", {}, { reloadOn: ["log"] })}>
        {({ plans: all }) =>
          all.length === 0 ? (
            <Empty
              icon="plans"
              title="No plan was applied yet. A plan is a YAML file with tasks: apply one to see what it needs."
            >
              <Command text="knack plan apply plan.yaml" />
            </Empty>
          ) : (
            <ul class="box" aria-label="Plans">
              {all.map(({ plan, title, tasks, done, updated_at }) => (
                <li key={plan} class="box-item pick">
                  <a class="row wrap pick" href={planPath(plan)}>
                    <span class="plan-name">
                      <b>{title}</b>
                      <span class="quiet small mono">{plan}</span>
                    </span>
                    <Progress done={done} tasks={tasks} />
                    <span class="quiet small">
                      <Time at={updated_at} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}

function Progress({ done, tasks }: { done: number; tasks: number }) {
  return (
    <span class="row small">
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${tasks === 0 ? 0 : (100 * done) / tasks}%` }} />
      </span>
      {count(done)} of {count(tasks)} done
    </span>
  );
}

function ApplyButton() {
  const { route } = useLocation();
  const [file, setFile] = useState("plan.yaml");
  const apply = async (): Promise<void> => {
    const { plan, changed } = await post("/api/plans", { file: file.trim() });
    toast(changed ? `${plan} was applied.` : `${plan} is unchanged.`);
    route(planPath(plan));
  };
  return (
    <FormButton
      words="Apply a plan"
      icon="plus"
      look="main"
      needs="runner"
      submit="Apply"
      canSubmit={file.trim() !== ""}
      run={apply}
    >
      <TextField label="File, as a path in the project" class="mono" value={file} onChange={setFile} />
    </FormButton>
  );
}

function OnePlan({ id }: { id: string }) {
  const reloadOn = ["log", "runs", "plans"] as const;
  return (
    <div class="page page-plans">
      <a class="row small" href="/plans">
        <Icon name="back" size={14} /> Plans
      </a>
      <Loaded of={useResource("/api/plans/{id}", { path: { id } }, { reloadOn })} rows={8}>
        {(plan, reload) => <PlanView plan={plan} reload={reload} />}
      </Loaded>
    </div>
  );
}

function PlanView({ plan, reload }: { plan: Plan; reload: () => void }) {
  const { query, change } = useQuery();
  const isDragging = useFileDrag();
  const chosen = query.task ?? null;
  const choose = (task: string): void => change({ task: task === chosen ? undefined : task });
  const attach = async (
    task: Task,
    file: File,
    requirement = fittingRequirement(task, file.name),
  ): Promise<void> => {
    if (!requirement) toast(`${task.title} takes no file like ${file.name}.`, { isFailure: true });
    else
      await act(
        () => attachFile(plan.plan, task.id, requirement.name, file),
        `${file.name} was attached to ${requirement.name}.`,
        reload,
      );
  };
  const { error, running, started_at } = plan.run;
  return (
    <>
      <PageHead title={plan.title}>
        <PlanActions plan={plan} reload={reload} />
      </PageHead>
      {error && (
        <p class={`note apart means-${error.code === "SKILL_INTERRUPTED" ? "off" : "failed"}`} role="status">
          <Icon name="alert" /> {error.message}
        </p>
      )}
      <div class="row wrap small apart">
        <CopyText text={plan.file} name="Copy the path of the plan" />
        <Progress
          done={plan.tasks.filter(({ status }) => status === "DONE").length}
          tasks={plan.tasks.length}
        />
        <span class="quiet">
          {running ? "Running since " : "Applied "}
          <Time at={running ? (started_at ?? plan.updated_at) : plan.updated_at} />
        </span>
        <States tasks={plan.tasks} />
      </div>
      <div class={`with-aside ${isDragging ? "plan-dragging" : ""}`}>
        <PlanGraph
          tasks={plan.tasks}
          chosen={chosen}
          onChoose={choose}
          onFile={(task, file) => void attach(task, file)}
        />
        <ol class="box" aria-label="Tasks">
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
    </>
  );
}

/** Uploads a file as evidence. The server checks everything again. */
async function attachFile(plan: string, task: string, requirement: string, file: File): Promise<void> {
  const url = urlOf("/api/plans/{id}/tasks/{task}/files", {
    path: { id: plan, task },
    query: { requirement, name: file.name },
  });
  const headers = { "Content-Type": "application/octet-stream" };
  await request(url, { method: "POST", body: file, headers });
}

/** What the icons mean: the states that the plan has now, and how many tasks are in each. */
function States({ tasks }: { tasks: readonly Task[] }) {
  const states = Map.groupBy(tasks.map(stateOf), ({ words }) => words);
  return (
    <ul class="row wrap push" aria-label="States">
      {[...states].map(([words, [first, ...rest]]) => (
        <li key={words}>
          <Badge means={first?.means ?? "plain"} icon={first?.icon} words={`${1 + rest.length} ${words}`} />
        </li>
      ))}
    </ul>
  );
}

const AT_ONCE = [1, 2, 4, 8, 16].map((number) => ({ value: String(number), words: `${number} at once` }));

function PlanActions({ plan, reload }: { plan: Plan; reload: () => void }) {
  const [parallel, setParallel] = useState("4");
  const id = plan.plan;
  const isRunning = plan.run.running;
  const copy = async (): Promise<void> => {
    const url = urlOf("/api/plans/{id}/drawing", { path: { id }, query: { format: "mermaid" } });
    await navigator.clipboard.writeText(await (await request(url)).text());
  };
  const runOrStop = async (): Promise<string> => {
    if (!isRunning) {
      await post("/api/plans/{id}/run", { parallel: Number(parallel) }, { path: { id } });
      return "The plan is running.";
    }
    const { stopped } = await post("/api/plans/{id}/stop", {}, { path: { id } });
    return stopped ? "The plan was stopped." : "The plan was not running.";
  };
  const done = (words: string): string => words;
  useShortcuts("Plan", [
    { keys: "x", words: isRunning ? "Stop" : "Run", run: () => void act(runOrStop, done, reload) },
  ]);
  return (
    <div class="row wrap">
      <ActionButton
        words="Copy as Mermaid"
        look="quiet"
        icon="copy"
        run={copy}
        done="The graph was copied as Mermaid."
      />
      <ActionButton
        words="Apply again"
        icon="refresh"
        needs="runner"
        run={() => post("/api/plans", { file: plan.file })}
        done={({ changed }) => (changed ? "The changed plan was applied." : "The plan is unchanged.")}
        onDone={reload}
      />
      <FilterField
        isOn={false}
        label="Tasks at once"
        value={parallel}
        options={AT_ONCE}
        onChange={setParallel}
      />
      <ActionButton
        words={isRunning ? "Stop" : "Run"}
        icon={isRunning ? "cross" : "play"}
        look={isRunning ? "danger" : "main"}
        needs="runner"
        run={runOrStop}
        done={done}
        onDone={reload}
      />
    </div>
  );
}

/** Whether a file is dragged over the page. One that is dropped beside its place must not replace the page. */
function useFileDrag(): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const on = (type: "dragover" | "drop" | "dragleave", act: (event: DragEvent) => void): void =>
      addEventListener(type, act, { signal: stop.signal });
    on("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setDragging(true);
    });
    on("drop", (event) => {
      event.preventDefault();
      setDragging(false);
    });
    on("dragleave", (event) => {
      if (event.relatedTarget === null) setDragging(false);
    });
    return () => stop.abort();
  }, []);
  return isDragging;
}
