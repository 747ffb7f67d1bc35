import { useMemo } from "preact/hooks";
import { lazy } from "preact-iso";
import { count } from "../../parts/look/words.tsx";
import type { Queue } from "./entry-state.tsx";

// The drawing of plots is larger than this page; the rest is there without it.
const Plot = lazy(async () => (await import("../../parts/plot/plot.tsx")).Plot);

/** How many runs ended in each minute of the last hour. */
export function Throughput({ throughput }: { readonly throughput: Queue["throughput"] }) {
  const sum = throughput.reduce((all, { ended }) => all + ended, 0);
  // It is loaded every other second, and drawn only if a number changed.
  const state = JSON.stringify(throughput);
  const times = useMemo(() => throughput.map(({ at }) => at), [state]);
  const series = useMemo(
    () => [{ name: "Ended", color: "--accent", values: throughput.map(({ ended }) => ended) }],
    [state],
  );
  return (
    <section class="queue-side" aria-labelledby="queue-throughput">
      <h2 id="queue-throughput">
        Ended in the last hour <span class="quiet">{count(sum)}</span>
      </h2>
      {sum === 0 ? (
        <p class="small quiet">No run ended in the last hour.</p>
      ) : (
        <Plot label="Runs that ended, per minute" unit="minute" times={times} series={series} height={120} />
      )}
    </section>
  );
}
