import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { openMeters } from "./metering.ts";
import { timeoutOf, warnsOfExport } from "./settings.ts";

const INTERVAL_MS = 60_000;
const TIMEOUT_MS = 30_000;

/** Sends the metrics every `OTEL_METRIC_EXPORT_INTERVAL`, and at the end. */
export function pushMetrics(env: NodeJS.ProcessEnv): void {
  const interval = positive(env.OTEL_METRIC_EXPORT_INTERVAL, INTERVAL_MS);
  const timeout = positive(env.OTEL_METRIC_EXPORT_TIMEOUT, TIMEOUT_MS);
  const exporter = warnsOfExport(new OTLPMetricExporter({ timeoutMillis: timeoutOf("METRICS", env) }));
  const exportTimeoutMillis = Math.min(timeout, interval);
  openMeters([
    new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: interval, exportTimeoutMillis }),
  ]);
}

function positive(text: string | undefined, otherwise: number): number {
  const stated = Number(text);
  return stated > 0 && Number.isFinite(stated) ? stated : otherwise;
}
