import type { Counter, Duration } from "@knack/core/internal";

/** Every metric, by its name in OpenTelemetry; docs/telemetry.md has the names in Prometheus. */

interface Described {
  readonly description: string;
  readonly unit: string;
}

export const COUNTERS: Readonly<Record<Counter, Described>> = {
  "knack.runs": { description: "Runs of typed skills that have ended.", unit: "{run}" },
  "knack.cache.hits": { description: "Runs that returned the result of an earlier run.", unit: "{run}" },
  "knack.searches": { description: "Searches for skills.", unit: "{search}" },
  "knack.loads": { description: "Skills whose text was given to a reader.", unit: "{load}" },
};

/** As the semantic conventions of HTTP advise. */
const REQUEST = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** From a cached result to the longest skill. */
const RUN = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];
const SEARCH = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const DURATIONS: Readonly<
  Record<Duration, { readonly description: string; readonly buckets: readonly number[] }>
> = {
  "knack.run.duration": { description: "Duration of runs.", buckets: RUN },
  "knack.search.duration": { description: "Duration of searches.", buckets: SEARCH },
  "http.server.request.duration": { description: "Duration of HTTP requests.", buckets: REQUEST },
  "mcp.server.operation.duration": { description: "Duration of MCP requests.", buckets: RUN },
};

/** Read from the database when the metrics are collected. */
export const OBSERVED = {
  queue: {
    name: "knack.queue.runs",
    description: "Runs in the queue, by state.",
    unit: "{run}",
  },
  workers: { name: "knack.workers", description: "Workers that were seen lately.", unit: "{worker}" },
  records: { name: "knack.audit.records", description: "Records of the audit log.", unit: "{record}" },
} as const;
