import { useLocation, useRoute } from "preact-iso";
import type { Params } from "../../api/client.ts";
import { usePages, useResource } from "../../api/data.ts";
import { ListPage } from "../../parts/list-page.tsx";
import { Badge, Button, Command, Time } from "../../parts/look.tsx";
import { useQuery } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";
import { NO_SKILL_CHOSEN, RunForm } from "./form.tsx";
import { keyOf, type Run, RunDetailView, RunState, runTime } from "./run.tsx";
import "./runs.css";

const STATES = [
  { value: "RUNNING", words: "Running" },
  { value: "SUCCEEDED", words: "Succeeded" },
  { value: "FAILED", words: "Failed" },
];
const CACHED = [
  { value: "false", words: "Executed" },
  { value: "true", words: "From cache" },
];
const PAGE = 100;

export function Page() {
  const { route } = useLocation();
  const { query, address } = useQuery();
  const { skill, status, cached, served } = query;
  const id = useRoute().params.id ?? null;
  const isNew = id === null && query.new !== undefined;
  const registry = useResource("/api/registry", {});
  const filters = { limit: PAGE, cached: cached || "all", skill, status } as Params<"/api/runs">["query"];
  const pages = usePages("/api/runs", { query: filters }, ({ runs }) => runs, keyOf, {
    reloadOn: ["log", "runs"],
  });
  const names = new Set([
    ...(skill ? [skill] : []),
    ...(registry.data?.skills.map(({ name }) => name) ?? []),
  ]);
  return (
    <ListPage
      name="runs"
      title="Runs"
      label="Runs"
      buttons={
        <Button
          words="Run a skill"
          href={address("/runs", { new: skill || NO_SKILL_CHOSEN, served: undefined, tab: undefined })}
          icon="play"
          look="main"
        />
      }
      filters={[
        {
          name: "skill",
          label: "Skill",
          any: "Any skill",
          options: [...names].map((name) => ({ value: name, words: name })),
        },
        { name: "status", label: "State", any: "Any state", options: STATES },
        { name: "cached", label: "Cache", any: "Executed and cached", options: CACHED },
      ]}
      pages={pages}
      keyOf={keyOf}
      row={(run) => <Row run={run} />}
      chosen={id === null ? null : keyOf({ id, served: served ? { seq: Number(served) } : null })}
      onChoose={(run) =>
        // The first one is a step that "back" undoes; going through the list is not.
        route(
          address(`/runs/${run.id}`, {
            served: run.served ? String(run.served.seq) : undefined,
            new: undefined,
          }),
          id !== null,
        )
      }
      empty={
        <Empty icon="runs" title="Nothing ran yet. Run a typed skill on a file of the project.">
          <Button words="Run a skill" href="/runs?new=-" icon="play" look="main" />
          <Command text="knack run file_fingerprint README.md" />
        </Empty>
      }
      noMatch="No run matches these filters."
      hasDetail={id !== null || isNew}
      back={isNew ? "/runs" : address("/runs", { served: undefined, tab: undefined })}
      detail={
        id !== null ? (
          <RunDetailView key={id} id={id} served={served} />
        ) : isNew ? (
          <RunForm skill={query.new ?? NO_SKILL_CHOSEN} from={query.from} task={query.task} />
        ) : (
          <Empty icon="runs" title="Choose a run to see its result, its log and why it ran." />
        )
      }
    />
  );
}

function Row({ run }: { run: Run }) {
  return (
    <>
      <span class="list-state">
        <RunState run={run} />
      </span>
      <span class="fill clip">
        <span class="mono">{run.skill}</span>
        {run.task && <span class="quiet small"> {run.task}</span>}
      </span>
      <span class="run-time push quiet small nowrap">
        {run.served ? (
          <Badge
            means="plain"
            icon="undo"
            title="The result of an earlier run with the same key was returned."
            words="Cached"
          />
        ) : (
          run.finished_at !== null && runTime(run, 0)
        )}
      </span>
      <span class="list-when quiet small">
        <Time at={run.served?.at ?? run.started_at} />
      </span>
    </>
  );
}
