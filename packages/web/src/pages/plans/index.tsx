import { useEffect, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { type ApiError, post, request, urlOf } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { Dialog, toast } from "../../parts/float.tsx";
import { SelectFilter } from "../../parts/list-page.tsx";
import { Badge, Button, Command, CopyButton, count, Icon, Time } from "../../parts/look.tsx";
import { PageHead, useQuery } from "../../parts/page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Empty, Failed, Loaded, Loading, Stale } from "../../parts/states.tsx";
import { PlanGraph } from "./plan-graph.tsx";
import { fittingRequirement, type Plan, stateOf, type Task } from "./state.ts";
import { TaskItem } from "./task-item.tsx";
import "./plans.css";

export function Page() {
  const { id } = useRoute().params;
  return id === undefined ? <PlanList /> : <OnePlan key={id} id={id} />;
}

/** The plans that were applied, and a button to apply another. */
function PlanList() {
  const plans = useResource("/api/plans", {}, { reloadOn: ["log"] });
  return (
    <div class="page page-plans">
      <PageHead title="Plans">
        <ApplyButton />
      </PageHead>
      <Loaded of={plans}>
        {({ plans: all }) =>
          all.length === 0 ? (
            <Empty
              icon="plans"
              title="No plan was applied yet. A plan is a YAML file with tasks: apply one to see what it needs."
            >
              <Command text="knack plan apply plan.yaml" />
            </Empty>
          ) : (
            <ul class="plan-list box" aria-label="Plans">
              {all.map(({ plan, title, tasks, done, updated_at }) => (
                <li key={plan}>
                  <a class="box-item row wrap" href={`/plans/${encodeURIComponent(plan)}`}>
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

function Progress({ done, tasks }: { readonly done: number; readonly tasks: number }) {
  return (
    <span class="row small">
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${tasks === 0 ? 0 : (100 * done) / tasks}%` }} />
      </span>
      {count(done)} of {count(tasks)} done
    </span>
  );
}

/** Applies a plan from its file, as `knack plan apply`. */
function ApplyButton() {
  const { route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [file, setFile] = useState("plan.yaml");
  const [fault, setFault] = useState("");
  const close = (): void => {
    setOpen(false);
    setFault("");
  };
  const apply = async (): Promise<void> => {
    try {
      const { plan, changed } = await post("/api/plans", { file: file.trim() });
      toast(changed ? `${plan} was applied.` : `${plan} is unchanged.`);
      close();
      route(`/plans/${encodeURIComponent(plan)}`);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <Button icon="plus" look="main" needs="runner" onClick={() => setOpen(true)}>
        Apply a plan
      </Button>
      {isOpen && (
        <Dialog title="Apply a plan" onClose={close}>
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              void apply();
            }}
          >
            <label for="plan-file">File, as a path in the project</label>
            <input
              id="plan-file"
              class="mono"
              autofocus
              value={file}
              spellcheck={false}
              autoComplete="off"
              aria-invalid={fault !== ""}
              aria-describedby="plan-fault"
              onInput={(event) => setFile(event.currentTarget.value)}
            />
            <p class="fault" id="plan-fault" aria-live="polite">
              {fault}
            </p>
            <Button type="submit" look="main" disabled={file.trim() === ""}>
              Apply
            </Button>
          </form>
        </Dialog>
      )}
    </>
  );
}

function OnePlan({ id }: { readonly id: string }) {
  const plan = useResource("/api/plans/{id}", { path: { id } }, { reloadOn: ["log", "runs"] });
  if (plan.data === undefined)
    return (
      <div class="page">
        {plan.error ? <Failed error={plan.error} onRetry={plan.reload} /> : <Loading rows={8} />}
      </div>
    );
  return <PlanView plan={plan.data} error={plan.error} at={plan.at} reload={plan.reload} />;
}

/** One plan: its graph, and beside it a list that says the same and has the actions. */
function PlanView({
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
    <div class={`page page-plans ${isDragging ? "plan-dragging" : ""}`}>
      <a class="plan-back row small" href="/plans">
        <Icon name="back" size={14} /> Plans
      </a>
      <PageHead title={plan.title}>
        <PlanActions plan={plan} reload={reload} />
      </PageHead>
      {error && at && <Stale at={at} error={error} />}
      {plan.run.error && (
        <p class={`note ${plan.run.error.code === "SKILL_INTERRUPTED" ? "" : "note-failed"}`} role="status">
          <Icon name="alert" /> {plan.run.error.message}
        </p>
      )}
      <div class="plan-facts row wrap small">
        <span class="row">
          <code>{plan.file}</code>
          <CopyButton text={plan.file} name="Copy the path of the plan" />
        </span>
        <Progress
          done={plan.tasks.filter(({ status }) => status === "DONE").length}
          tasks={plan.tasks.length}
        />
        <span class="quiet">
          {plan.run.running ? "Running since " : "Applied "}
          <Time at={plan.run.running ? (plan.run.started_at ?? plan.updated_at) : plan.updated_at} />
        </span>
        <States tasks={plan.tasks} />
      </div>
      <div class={`with-aside ${error ? "is-stale" : ""}`}>
        <PlanGraph
          tasks={plan.tasks}
          chosen={chosen}
          onChoose={choose}
          onFile={(task, file) => void attach(task, file)}
        />
        <ol class="task-list box" aria-label="Tasks">
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
function States({ tasks }: { readonly tasks: readonly Task[] }) {
  const states = Map.groupBy(tasks.map(stateOf), ({ words }) => words);
  return (
    <ul class="plan-states row wrap" aria-label="States">
      {[...states].map(([words, [first, ...rest]]) => (
        <li key={words}>
          <Badge means={first?.means ?? "plain"} {...(first && { icon: first.icon })}>
            {1 + rest.length} {words}
          </Badge>
        </li>
      ))}
    </ul>
  );
}

const AT_ONCE = [1, 2, 4, 8, 16].map((number) => ({ value: String(number), words: `${number} at once` }));

/** Run or stop the plan, read its file again, copy its drawing. */
function PlanActions({ plan, reload }: { readonly plan: Plan; readonly reload: () => void }) {
  const [parallel, setParallel] = useState("4");
  const [isBusy, setBusy] = useState(false);
  const id = plan.plan;
  const act = (work: () => Promise<string>) => async (): Promise<void> => {
    setBusy(true);
    try {
      toast(await work());
      reload();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), { isFailure: true });
    } finally {
      setBusy(false);
    }
  };
  const run = act(async () => {
    await post("/api/plans/{id}/run", { parallel: Number(parallel) }, { path: { id } });
    return "The plan is running.";
  });
  const stop = act(async () => {
    const { stopped } = await post("/api/plans/{id}/stop", {}, { path: { id } });
    return stopped ? "The plan was stopped." : "The plan was not running.";
  });
  const apply = act(async () => {
    const { changed } = await post("/api/plans", { file: plan.file });
    return changed ? "The changed plan was applied." : "The plan is unchanged.";
  });
  const copy = act(async () => {
    const url = urlOf("/api/plans/{id}/drawing", { path: { id }, query: { format: "mermaid" } });
    await navigator.clipboard.writeText(await (await request(url)).text());
    return "The graph was copied as Mermaid.";
  });
  const isRunning = plan.run.running;
  const runOrStop = (): void => void (isRunning ? stop() : run());
  useShortcuts("Plan", [{ keys: "x", words: isRunning ? "Stop" : "Run", run: runOrStop }]);
  return (
    <div class="row wrap">
      <Button look="quiet" icon="copy" onClick={() => void copy()}>
        Copy as Mermaid
      </Button>
      <Button icon="refresh" needs="runner" disabled={isBusy} onClick={() => void apply()}>
        Apply again
      </Button>
      <SelectFilter
        isOn={false}
        label="Tasks at once"
        value={parallel}
        options={AT_ONCE}
        onChange={setParallel}
      />
      <Button
        icon={isRunning ? "cross" : "play"}
        look={isRunning ? "danger" : "main"}
        needs="runner"
        disabled={isBusy}
        onClick={runOrStop}
      >
        {isRunning ? "Stop" : "Run"}
      </Button>
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
