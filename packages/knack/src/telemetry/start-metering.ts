import {
  type Attributes,
  type Counter,
  type Duration,
  installMetering,
  type Metering,
} from "@knack/core/internal";
import type { WorkCounts } from "@knack/engine";
import type { Counter as CounterInstrument, Histogram, Meter } from "@opentelemetry/api";
import { type IMetricReader, MeterProvider } from "@opentelemetry/sdk-metrics";
import { version } from "../version.ts";
import { BoundedNames } from "./bounded-names.ts";
import { cleanAttributes } from "./clean.ts";
import { COUNTERS, DURATIONS, OBSERVED } from "./instruments.ts";
import { PullReader } from "./prometheus.ts";
import { ownResource } from "./resource.ts";
import { withinEnd } from "./within-end.ts";

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
  readonly #skills = new BoundedNames();
  #work: (() => Promise<WorkCounts>) | undefined;

  constructor(pushes: readonly IMetricReader[]) {
    this.#hasPushes = pushes.length > 0;
    this.#provider = new MeterProvider({ resource: ownResource(), readers: [this.#pull, ...pushes] });
    const meter = this.#provider.getMeter("knack", version);
    this.#counters = mapped(COUNTERS, (name, { description, unit }) =>
      meter.createCounter(name, { description, unit }),
    );
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

  /** Where the numbers of the database come from, each time they are collected. */
  observe(work: () => Promise<WorkCounts>): void {
    this.#work = work;
  }

  /** In the text format of Prometheus. */
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
    return skill === undefined ? labels : { ...labels, [SKILL]: this.#skills.of(String(skill)) };
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
  make: (name: K, value: V) => T,
): Record<K, T> {
  const entries = (Object.keys(table) as K[]).map((name) => [name, make(name, table[name])]);
  return Object.fromEntries(entries) as Record<K, T>;
}
