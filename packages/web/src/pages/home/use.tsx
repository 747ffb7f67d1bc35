import { useMemo } from "preact/hooks";
import { lazy } from "preact-iso";
import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { Command } from "../../parts/look/copy-button.tsx";
import { count, plural } from "../../parts/look/words.tsx";
import { Empty, Loaded } from "../../parts/state/states.tsx";
import { Card } from "./card.tsx";
import "./use.css";

type UseData = Answer<"/api/use">;

// The drawing of plots is a third of this page's code; the rest is there without it.
const Plot = lazy(async () => (await import("../../parts/plot/plot.tsx")).Plot);

const KINDS = [
  { key: "loads", name: "Loads", color: "--accent" },
  { key: "searches", name: "Searches", color: "--waits" },
  { key: "runs", name: "Runs", color: "--done" },
] as const;
const SPANS = [7, 30, 90] as const;

export type Days = (typeof SPANS)[number];

/** What agents use: per day and by client. */
export function Use({ days, onDays }: { readonly days: Days; readonly onDays: (days: Days) => void }) {
  const use = useResource(
    "/api/use",
    { query: { days } },
    { reloadOn: ["log", "catalog"], keepPrevious: true },
  );
  const choices = (
    <div class="spans" role="group" aria-label="Days">
      {SPANS.map((span) => (
        <button key={span} type="button" aria-pressed={span === days} onClick={() => onDays(span)}>
          {span} days
        </button>
      ))}
    </div>
  );
  return (
    <Card title="What agents use" aside={choices}>
      <Loaded of={use} rows={6}>
        {(data) => <UseView data={data} />}
      </Loaded>
    </Card>
  );
}

function UseView({ data }: { readonly data: UseData }) {
  const sums = KINDS.map(({ key }) => data.days.reduce((sum, day) => sum + day[key], 0));
  const days = useMemo(() => data.days.map(({ day }) => day), [data]);
  const series = useMemo(
    () => KINDS.map(({ key, name, color }) => ({ name, color, values: data.days.map((day) => day[key]) })),
    [data],
  );
  if (sums.every((sum) => sum === 0))
    return (
      <Empty icon="clock" title="No skill was used in this time, or the project has no log yet.">
        <span class="small">The first run creates the log, for example:</span>
        <Command text="knack run file_fingerprint --input README.md" />
      </Empty>
    );
  return (
    <>
      <dl class="sums">
        {KINDS.map(({ key, name }, place) => (
          <div key={key} class={`sum sum-${key}`}>
            <dt class="small quiet">{name}</dt>
            <dd>{count(sums[place] ?? 0)}</dd>
          </div>
        ))}
      </dl>
      <Plot label="Loads, searches and runs per day" times={days} series={series} kind="line" height={150} />
      {data.clients.length > 0 && (
        <p class="small quiet by-client">
          By client:{" "}
          {data.clients
            .slice(0, 4)
            .map(({ client, loads, searches, runs }) => `${client} ${count(loads + searches + runs)}`)
            .join(" · ")}
          {data.clients.length > 4 && ` · ${plural(data.clients.length - 4, "other")}`}
        </p>
      )}
    </>
  );
}
