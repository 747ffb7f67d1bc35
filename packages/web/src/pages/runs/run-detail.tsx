import { useEffect, useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { toast } from "../../parts/float/toast.tsx";
import { Facts } from "../../parts/list/facts.tsx";
import { SplitBack } from "../../parts/list/split-parts.tsx";
import { Badge } from "../../parts/look/badge.tsx";
import { Button, LinkButton } from "../../parts/look/button.tsx";
import { CopyButton } from "../../parts/look/copy-button.tsx";
import { Icon } from "../../parts/look/icon.tsx";
import { type Tab, Tabs } from "../../parts/look/tabs.tsx";
import { Time } from "../../parts/look/words.tsx";
import { useDetailTitle } from "../../parts/page/title.tsx";
import { useQuery } from "../../parts/page/use-query.ts";
import { Loaded } from "../../parts/state/states.tsx";
import { RunInputs } from "./run-inputs.tsx";
import { RunKey } from "./run-key.tsx";
import { RunLog } from "./run-log.tsx";
import { RunResult } from "./run-result.tsx";
import { type RunDetail, RunState, runTime } from "./run-state.tsx";

type TabName = "result" | "inputs" | "key" | "log";
const TABS: readonly TabName[] = ["result", "inputs", "key", "log"];

/** One run with everything that is known about it. */
export function RunDetailView({ id, served }: { readonly id: string; readonly served: string | undefined }) {
  const run = useResource("/api/runs/{id}", { path: { id } }, { reloadOn: ["log", "runs"] });
  return <Loaded of={run}>{(data) => <Detail run={data} served={served} reload={run.reload} />}</Loaded>;
}

function Detail({
  run,
  served,
  reload,
}: {
  readonly run: RunDetail;
  readonly served: string | undefined;
  readonly reload: () => void;
}) {
  const { query, change, address } = useQuery();
  useDetailTitle(run.skill, "Runs");
  const isRunning = run.status === "RUNNING";
  const fallback: TabName = isRunning ? "log" : "result";
  const tab = TABS.find((one) => one === query.tab) ?? fallback;
  const tabs: readonly Tab<TabName>[] = [
    { id: "result", words: "Result", note: run.artifacts.length + run.evidences.length || undefined },
    { id: "inputs", words: "Inputs" },
    { id: "key", words: served ? "Why it was cached" : "Why it ran" },
    { id: "log", words: "Log" },
  ];
  return (
    <article class="run-detail" aria-label={`Run of ${run.skill}`}>
      <SplitBack href={address("/runs", { served: undefined, tab: undefined })} words="Runs" />
      <div class="run-head">
        <h2 class="mono">{run.skill}</h2>
        <RunState run={run} />
        {served && (
          <Badge means="plain" icon="undo">
            Cached
          </Badge>
        )}
        <div class="run-actions">
          {run.live && <Cancel id={run.id} done={reload} />}
          <LinkButton href={`/runs?new=${encodeURIComponent(run.skill)}&from=${run.id}`} icon="play">
            Run again
          </LinkButton>
        </div>
      </div>
      {run.error && (
        <div class={`run-error ${run.error.code === "SKILL_INTERRUPTED" ? "run-error-off" : ""}`}>
          <Icon name="alert" />
          <div>
            <b class="mono">{run.error.code}</b>
            <p>{run.error.message}</p>
          </div>
          <CopyButton text={`${run.error.code}: ${run.error.message}`} name="Copy the error" />
        </div>
      )}
      <Facts
        of={{
          Started: <Time at={run.started_at} />,
          Duration: isRunning ? <Ticking run={run} /> : runTime(run, 0),
          By: run.actor,
          Task: run.task?.includes("/") ? (
            <a
              href={`/plans/${encodeURIComponent(run.task.split("/")[0] ?? "")}?task=${encodeURIComponent(run.task.split("/")[1] ?? "")}`}
            >
              {run.task}
            </a>
          ) : (
            run.task
          ),
          Isolation: run.isolation,
          Run: (
            <>
              <code class="clip">{run.id}</code>
              <CopyButton text={run.id} name="Copy the id of the run" />
            </>
          ),
        }}
      />
      <Tabs
        tabs={tabs}
        chosen={tab}
        onChoose={(name) => change({ tab: name === fallback ? undefined : name })}
        label="Parts of the run"
      >
        {tab === "result" && <RunResult run={run} />}
        {tab === "inputs" && <RunInputs run={run} />}
        {tab === "key" && <RunKey run={run} served={served} />}
        {tab === "log" && <RunLog run={run} />}
      </Tabs>
    </article>
  );
}

/** Counts on while the run goes on. */
function Ticking({ run }: { readonly run: RunDetail }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return <>{runTime(run, now)}</>;
}

function Cancel({ id, done }: { readonly id: string; readonly done: () => void }) {
  const [isAsked, setAsked] = useState(false);
  const cancel = async (): Promise<void> => {
    setAsked(true);
    try {
      await post("/api/runs/{id}/cancel", {}, { path: { id } });
      toast("The run was cancelled.");
      done();
    } catch (error) {
      setAsked(false);
      toast(error instanceof Error ? error.message : String(error), { isFailure: true });
    }
  };
  return (
    <Button icon="cross" look="danger" needs="runner" disabled={isAsked} onClick={() => void cancel()}>
      Cancel
    </Button>
  );
}
