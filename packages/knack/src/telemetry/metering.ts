import {
  type Attributes,
  type Counter,
  type Duration,
  installMetering,
  type Metering,
} from "@knack/core/telemetry";
import type { WorkCounts } from "@knack/engine";
import type { Counter as CounterInstrument, Histogram, Meter } from "@opentelemetry/api";
import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { type IMetricReader, MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import { version } from "../version.ts";
import { cleanAttributes, ownResource } from "./attributes.ts";
import { withinEnd } from "./settings.ts";

const SKILL = "knack.skill.name";

let current: Meters | undefined;

/** The metrics of this process; the first call begins to count. `pushes`: readers that send them somewhere. */
export function openMeters(pushes: readonly IMetricReader[] = []): Meters {
  if (current) return current;
  current = new Meters(pushes);
  installMetering(current);
  return current;
}

export class Meters implements Metering {
  readonly #pull = new PullReader();
  readonly #provider: MeterProvider;
  readonly #hasPushes: boolean;
  readonly #counters: Readonly<Record<Counter, CounterInstrument>>;
  readonly #durations: Readonly<Record<Duration, Histogram>>;
  /** The skills that have numbers of their own. */
  readonly #skills = new Set<unknown>();
  #work: (() => Promise<WorkCounts>) | undefined;

  constructor(pushes: readonly IMetricReader[]) {
    this.#hasPushes = pushes.length > 0;
    this.#provider = new MeterProvider({ resource: ownResource(), readers: [this.#pull, ...pushes] });
    const meter = this.#provider.getMeter("knack", version);
    this.#counters = mapped(COUNTERS, (name, described) => meter.createCounter(name, described));
    this.#durations = mapped(DURATIONS, (name, { description, buckets }) =>
      meter.createHistogram(name, {
        description,
        unit: "s",
        advice: { explicitBucketBoundaries: [...buckets] },
      }),
    );
    this.#observe(meter);
  }

  count(name: Counter, attributes: Attributes): void {
    this.#counters[name].add(1, this.#labels(attributes));
  }

  measure(name: Duration, seconds: number, attributes: Attributes): void {
    this.#durations[name].record(seconds, this.#labels(attributes));
  }

  observe(work: () => Promise<WorkCounts>): void {
    this.#work = work;
  }

  text(): Promise<string> {
    return this.#pull.text();
  }

  async end(): Promise<boolean> {
    current = undefined;
    return this.#hasPushes ? withinEnd(() => this.#provider.forceFlush()) : true;
  }

  #labels(attributes: Attributes): Record<string, string | number | boolean> {
    const labels = cleanAttributes(attributes);
    const skill = labels[SKILL];
    if (skill === undefined || this.#skills.has(skill)) return labels;
    if (this.#skills.size >= MAX_NAMES) return { ...labels, [SKILL]: "other" };
    this.#skills.add(skill);
    return labels;
  }

  /** A database that cannot be read leaves its numbers out; the others are still there. */
  #observe(meter: Meter): void {
    const { queue, workers, records } = OBSERVED;
    const queued = meter.createObservableGauge(queue.name, queue);
    const alive = meter.createObservableGauge(workers.name, workers);
    const logged = meter.createObservableCounter(records.name, records);
    meter.addBatchObservableCallback(
      async (result) => {
        const counts = await this.#work?.();
        if (!counts) return;
        for (const [state, runs] of Object.entries(counts.queued))
          result.observe(queued, runs, { "knack.queue.state": state });
        result.observe(alive, counts.workers);
        result.observe(logged, counts.auditRecords);
      },
      [queued, alive, logged],
    );
  }
}

function mapped<K extends string, V, T>(
  table: Readonly<Record<K, V>>,
  make: (name: string, value: V) => T,
): Record<K, T> {
  const entries = Object.entries<V>(table).map(([name, value]) => [name, make(name, value)]);
  return Object.fromEntries(entries) as Record<K, T>;
}

/** Every metric, by its name in OpenTelemetry; docs/telemetry.md has the names in Prometheus. */

export const COUNTERS: Readonly<Record<Counter, { readonly description: string; readonly unit: string }>> = {
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

export const OBSERVED = {
  queue: { name: "knack.queue.runs", description: "Runs in the queue, by state.", unit: "{run}" },
  workers: { name: "knack.workers", description: "Workers that were seen lately.", unit: "{worker}" },
  records: { name: "knack.audit.records", description: "Records of the audit log.", unit: "{record}" },
} as const;

/**
 * Each name of a skill is a series of numbers for every metric: a folder of many skills must not fill a monitoring system. The
 * first ones that are used are told apart, all that come later are `other`.
 */
const MAX_NAMES = 200;

const COLLECT_MS = 5_000;

/** Answers a scrape: the metrics as they are now, in the text format of Prometheus. */
class PullReader extends MetricReader {
  // What a collector knows of the sender, Prometheus knows from its own configuration.
  readonly #serializer = new PrometheusSerializer(undefined, false, undefined, true, true);

  async text(): Promise<string> {
    const { resourceMetrics } = await this.collect({ timeoutMillis: COLLECT_MS });
    const scopeMetrics = resourceMetrics.scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map((metric) => ({ ...metric, descriptor: named(metric.descriptor) })),
    }));
    return this.#serializer.serialize({ ...resourceMetrics, scopeMetrics });
  }

  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Prometheus has the unit in the name; the serializer would put it into a comment. */
function named<T extends { readonly name: string; readonly unit: string }>(descriptor: T): T {
  const { name, unit } = descriptor;
  return { ...descriptor, name: unit === "s" ? `${name}_seconds` : name, unit: "" };
}
