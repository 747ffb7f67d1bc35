import { useEffect, useRef, useState } from "preact/hooks";
import { type Answer, post } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { ActionButton } from "../../parts/action.tsx";
import { CodeBlock, shownJson } from "../../parts/code.tsx";
import { Table } from "../../parts/list.tsx";
import { Facts } from "../../parts/list-page.tsx";
import {
  Badge,
  Button,
  CopyButton,
  CopyText,
  duration,
  Icon,
  plural,
  type State,
  Time,
  useNow,
} from "../../parts/look.tsx";
import { planPath, useDetailTitle, useQuery } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Tab, Tabs } from "../../parts/tabs.tsx";
import { RunResult } from "./result.tsx";

type TabName = "result" | "inputs" | "key" | "log";
const TABS: readonly TabName[] = ["result", "inputs", "key", "log"];

export function RunDetailView({ id, served }: { id: string; served: string | undefined }) {
  return (
    <Loaded of={useResource("/api/runs/{id}", { path: { id } }, { reloadOn: ["log", "runs"] })}>
      {(run, reload) => <Detail run={run} served={served} reload={reload} />}
    </Loaded>
  );
}

function Detail({ run, served, reload }: { run: RunDetail; served: string | undefined; reload: () => void }) {
  const { query, change } = useQuery();
  useDetailTitle(run.skill, "Runs");
  const isRunning = run.status === "RUNNING";
  const fallback: TabName = isRunning ? "log" : "result";
  const tab = TABS.find((one) => one === query.tab) ?? fallback;
  const [plan = "", name] = run.task?.split("/") ?? [];
  const tabs: readonly Tab<TabName>[] = [
    { id: "result", words: "Result", note: run.artifacts.length + run.evidences.length || undefined },
    { id: "inputs", words: "Inputs" },
    { id: "key", words: served ? "Why it was cached" : "Why it ran" },
    { id: "log", words: "Log" },
  ];
  return (
    <article class="run-detail" aria-label={`Run of ${run.skill}`}>
      <div class="row wrap apart">
        <h2 class="mono">{run.skill}</h2>
        <RunState run={run} />
        {served && <Badge means="plain" icon="undo" words="Cached" />}
        <div class="row push">
          {run.live && (
            <ActionButton
              words="Cancel"
              icon="cross"
              look="danger"
              needs="runner"
              run={() => post("/api/runs/{id}/cancel", {}, { path: { id: run.id } })}
              done="The run was cancelled."
              onDone={reload}
            />
          )}
          <Button
            words="Run again"
            href={`/runs?new=${encodeURIComponent(run.skill)}&from=${run.id}`}
            icon="play"
          />
        </div>
      </div>
      {run.error && (
        <div class={`note apart means-${run.error.code === "SKILL_INTERRUPTED" ? "off" : "failed"}`}>
          <Icon name="alert" />
          <div class="fill">
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
          "Made by": run.made_by,
          Task: run.task && name ? <a href={planPath(plan, name)}>{run.task}</a> : run.task,
          Isolation: run.isolation,
          Run: <CopyText text={run.id} name="Copy the id of the run" />,
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

function Ticking({ run }: { run: RunDetail }) {
  return <>{runTime(run, useNow(500))}</>;
}

function RunInputs({ run }: { run: RunDetail }) {
  const hasParams = Object.keys(run.params).length > 0;
  return (
    <div class="stack">
      <h3>Files</h3>
      {run.inputs.length === 0 ? (
        <p class="quiet">The skill was given no files.</p>
      ) : (
        <Table
          label="Files that the run was given"
          rows={run.inputs}
          keyOf={({ role, path }) => `${role} ${path}`}
          columns={[
            ["Role", ({ role }) => role],
            [
              "File",
              ({ path, confirmed_by: by, confirmed_at: at }) =>
                by && at ? (
                  <>
                    Confirmed by {by} <Time at={at} />
                  </>
                ) : (
                  <CopyText text={path} name={`Copy ${path}`} />
                ),
            ],
            ["SHA-256", ({ sha256 }) => <CopyText text={sha256} name="Copy the digest" first={12} />],
          ]}
        />
      )}
      <h3>Parameters</h3>
      {hasParams ? (
        <CodeBlock text={shownJson(run.params)} language="json" label="Parameters" wrap />
      ) : (
        <p class="quiet">The skill was given no parameters.</p>
      )}
    </div>
  );
}

/** So many pixels from the end count as the end. */
const AT_END = 24;

/** What the skill printed, as it happens: the run is loaded again while its log grows. It follows the end unless the reader scrolled up. */
function RunLog({ run }: { run: RunDetail }) {
  const text = run.log;
  const box = useRef<HTMLPreElement>(null);
  const [isFollowing, setFollowing] = useState(run.status === "RUNNING");
  useEffect(() => {
    if (isFollowing && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text, isFollowing]);
  if (run.status === "RUNNING" && !run.live)
    return (
      <Empty
        icon="clock"
        title="Another process executes this run. Its log is here when the run has ended."
      />
    );
  if (text === "")
    return (
      <Empty
        icon={run.status === "RUNNING" ? "clock" : "info"}
        title={run.status === "RUNNING" ? "Nothing printed yet." : "The skill printed nothing."}
      />
    );
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <div>
      <div class="row small apart">
        <span class="quiet fill">{plural(lines.length, "line")}</span>
        {run.status === "RUNNING" && (
          <label class="row">
            <input
              type="checkbox"
              checked={isFollowing}
              onChange={(event) => setFollowing(event.currentTarget.checked)}
            />
            Follow the end
          </label>
        )}
        <CopyButton text={text} words="Copy the log" />
      </div>
      <pre
        ref={box}
        class="box code-wrap"
        role="log"
        aria-label="Log"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < AT_END)
        }
      >
        <code>{text}</code>
      </pre>
    </div>
  );
}

type Key = Answer<"/api/runs/{id}/key">;
type Part = Key["parts"][number];

const NAMES: Readonly<Record<Part["part"], string>> = {
  version: "Version",
  implementation: "Code",
  input: "Input",
  param: "Parameter",
  environment: "Environment or entry",
};

const FIRST_RUN: State = { means: "plain", words: "First run" };
const SAME: State = { means: "done", words: "Same" };
const CHANGED: State = { means: "waits", icon: "alert", words: "Changed" };

/** Why the run was executed and no earlier result returned, and when its own result was returned again. */
function RunKey({ run, served }: { run: RunDetail; served: string | undefined }) {
  return (
    <Loaded of={useResource("/api/runs/{id}/key", { path: { id: run.id } }, { reloadOn: ["log"] })}>
      {(data) => (
        <div class="stack">
          {served !== undefined && (
            <p class="note note-chosen">
              This request had the key of the run that is shown here, so its result was returned at once
              {data.served.map(({ seq, actor }) => String(seq) === served && ` to ${actor}`)}. The rest of
              this page says why that run was executed.
            </p>
          )}
          <p class={served === undefined ? "note note-chosen" : ""}>
            {data.reason}{" "}
            {data.compared_with && (
              <>
                <a href={`/runs/${data.compared_with.id}`}>Open that run</a> (
                <Time at={data.compared_with.started_at} />)
              </>
            )}
          </p>
          <Table
            label="Parts of the key"
            rows={data.parts}
            keyOf={({ part, name }) => `${part} ${name}`}
            columns={[
              [
                "Part",
                ({ part, name }) => (
                  <>
                    {NAMES[part]} {part !== "version" && name && <code>{name}</code>}
                  </>
                ),
              ],
              [
                "Compared",
                ({ same }) => (
                  <Badge {...(data.compared_with === null ? FIRST_RUN : same ? SAME : CHANGED)} />
                ),
              ],
              ["Before", ({ part, before }) => <Value part={part} text={before} />],
              ["Now", ({ part, now }) => <Value part={part} text={now} />],
            ]}
          />
          <p class="row small">
            <span class="quiet">Key</span> <CopyText text={data.key} name="Copy the key" />
          </p>
          <h3>Returned again</h3>
          {data.served.length === 0 ? (
            <p class="quiet">
              Not yet. The next run of {run.skill} with the same key returns this result at once.
            </p>
          ) : (
            <ul class="small">
              {data.served.map(({ at, actor, seq, task }) => (
                <li key={seq}>
                  <Time at={at} /> <span class="quiet">to {actor}</span> {task && <code>{task}</code>}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Loaded>
  );
}

/** Digests are shortened; the whole is on hover. */
function Value({ part, text }: { part: Part["part"]; text: string | null }) {
  if (text === null || text === "") return <span class="quiet">none</span>;
  const isDigest = part === "implementation" || part === "input";
  return (
    <code class="run-value clip" title={text}>
      {isDigest ? text.replaceAll(/(\S{12})\S+/g, "$1") : text}
    </code>
  );
}

export type Run = Answer<"/api/runs">["runs"][number];
export type RunDetail = Answer<"/api/runs/{id}">;

const STATES: Readonly<Record<Run["status"], State>> = {
  SUCCEEDED: { means: "done", words: "Succeeded" },
  RUNNING: { means: "waits", words: "Running", icon: "play" },
  FAILED: { means: "failed", words: "Failed" },
};
const INTERRUPTED: State = { means: "off", words: "Interrupted" };

export function RunState({ run: { status, error } }: { run: Pick<Run, "status" | "error"> }) {
  const state = error?.code === "SKILL_INTERRUPTED" ? INTERRUPTED : STATES[status];
  return <Badge {...state} title={error ? `${error.code}: ${error.message}` : undefined} />;
}

/** How long a run took, or has taken until `now`. */
export function runTime(
  { started_at, finished_at }: Pick<Run, "started_at" | "finished_at">,
  now: number,
): string {
  const end = finished_at === null ? now : Date.parse(finished_at);
  return duration(Math.max(0, end - Date.parse(started_at)));
}

type Listed = Pick<Run, "id"> & { readonly served: { readonly seq: number } | null };

/** A run can be in the list several times: once as itself, and each time that its result was returned again. */
export const keyOf = ({ id, served }: Listed): string => (served ? `${id}:${served.seq}` : id);
