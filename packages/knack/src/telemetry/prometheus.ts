import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MetricReader } from "@opentelemetry/sdk-metrics";

/** How long the numbers of the database may take. */
const COLLECT_MS = 5_000;

/** Answers a scrape: the metrics as they are now, in the text format of Prometheus. */
export class PullReader extends MetricReader {
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
