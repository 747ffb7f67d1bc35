import { useResource } from "../../api/resource.ts";
import { usePages } from "../../api/use-pages.ts";
import { Filters, SelectFilter } from "../../parts/list/filters.tsx";
import { List } from "../../parts/list/list.tsx";
import { MoreRow } from "../../parts/list/more-row.tsx";
import { ListLoading } from "../../parts/list/split-parts.tsx";
import { Badge } from "../../parts/look/badge.tsx";
import { Button, LinkButton } from "../../parts/look/button.tsx";
import { Command } from "../../parts/look/copy-button.tsx";
import { Time } from "../../parts/look/words.tsx";
import { useQuery } from "../../parts/page/use-query.ts";
import { Empty, Failed, Stale } from "../../parts/state/states.tsx";
import { keyOf, type Run, RunState, runTime } from "./run-state.tsx";

const STATES = [
  { value: "", words: "Any state" },
  { value: "RUNNING", words: "Running" },
  { value: "SUCCEEDED", words: "Succeeded" },
  { value: "FAILED", words: "Failed" },
] as const;
const CACHED = [
  { value: "", words: "Executed and cached" },
  { value: "false", words: "Executed" },
  { value: "true", words: "From cache" },
] as const;
const PAGE = 100;

/** The last row, while there are more pages. */
const MORE = "more";

/** The history with its filters. */
export function RunList({
  chosen,
  onChoose,
}: {
  readonly chosen: string | null;
  readonly onChoose: (run: Run) => void;
}) {
  const { query, change } = useQuery();
  const { skill = "", status = "", cached = "" } = query;
  const registry = useResource("/api/registry", {}, { reloadOn: ["catalog"] });
  const filters = {
    limit: PAGE,
    cached: (cached || "all") as "all" | "true" | "false",
    ...(skill ? { skill } : {}),
    ...(status ? { status: status as Run["status"] } : {}),
  };
  const pages = usePages("/api/runs", { query: filters }, ({ runs }) => runs, keyOf, {
    reloadOn: ["log", "runs"],
  });
  const { items, first, hasMore, error, more } = pages;
  const rows: readonly (Run | typeof MORE)[] = hasMore ? [...items, MORE] : items;
  const names = registry.data?.skills.map(({ name }) => name) ?? [];
  const skills = skill && !names.includes(skill) ? [skill, ...names] : names;
  const isFiltered = skill !== "" || status !== "" || cached !== "";
  return (
    <>
      <Filters label="Filter runs">
        <SelectFilter
          label="Skill"
          value={skill}
          options={[
            { value: "", words: "Any skill" },
            ...skills.map((name) => ({ value: name, words: name })),
          ]}
          onChange={(value) => change({ skill: value })}
        />
        <SelectFilter
          label="State"
          value={status}
          options={STATES}
          onChange={(value) => change({ status: value })}
        />
        <SelectFilter
          label="Cache"
          value={cached}
          options={CACHED}
          onChange={(value) => change({ cached: value })}
        />
      </Filters>
      {first.data === undefined ? (
        first.error ? (
          <Failed error={first.error} onRetry={first.reload} />
        ) : (
          <ListLoading />
        )
      ) : (
        <>
          {first.error && first.at && <Stale at={first.at} error={first.error} />}
          {items.length === 0 ? (
            isFiltered ? (
              <Empty icon="filter" title="No run matches these filters.">
                <Button onClick={() => change({ skill: "", status: "", cached: "" })}>Clear filters</Button>
              </Empty>
            ) : (
              <Empty icon="runs" title="Nothing ran yet. Run a typed skill on a file of the project.">
                <LinkButton href="/runs?new=-" icon="play" look="main">
                  Run a skill
                </LinkButton>
                <Command text="knack run file_fingerprint README.md" />
              </Empty>
            )
          ) : (
            <List
              items={rows}
              keyOf={(item) => (item === MORE ? MORE : keyOf(item))}
              height={40}
              label="Runs"
              chosen={chosen}
              isHeading={(item) => item === MORE}
              onChoose={(key) => {
                const run = items.find((one) => keyOf(one) === key);
                if (run) onChoose(run);
              }}
              row={(item) => (item === MORE ? <MoreRow error={error} more={more} /> : <Row run={item} />)}
            />
          )}
        </>
      )}
    </>
  );
}

function Row({ run }: { readonly run: Run }) {
  return (
    <div class="run-row">
      <span class="run-row-state">
        <RunState run={run} />
      </span>
      <span class="run-row-name clip">
        <span class="mono">{run.skill}</span>
        {run.task && <span class="quiet small"> {run.task}</span>}
      </span>
      <span class="run-row-time quiet small">
        {run.served ? (
          <Badge
            means="plain"
            icon="undo"
            title="The result of an earlier run with the same key was returned."
          >
            Cached
          </Badge>
        ) : (
          run.finished_at !== null && runTime(run, 0)
        )}
      </span>
      <span class="run-row-when quiet small">
        <Time at={run.served?.at ?? run.started_at} />
      </span>
    </div>
  );
}
