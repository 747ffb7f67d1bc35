import type { PushMetricExporter } from "@opentelemetry/sdk-metrics";
import type { SpanExporter } from "@opentelemetry/sdk-trace-node";
import { note } from "../terminal/output.ts";
import { safeJson } from "../terminal/visible.ts";

/** `OTEL_*_EXPORTER=console`: a line of JSON each on standard error, because standard output is for data. */

type Done = Parameters<SpanExporter["export"]>[1];
const SUCCESS = { code: 0 } as const;

export class StderrSpans implements SpanExporter {
  export(spans: Parameters<SpanExporter["export"]>[0], done: Done): void {
    for (const span of spans) {
      const { name, attributes, status, duration } = span;
      const { traceId, spanId } = span.spanContext();
      const [seconds, nanoseconds] = duration;
      note(
        safeJson(
          {
            span: name,
            trace_id: traceId,
            span_id: spanId,
            parent_span_id: span.parentSpanContext?.spanId ?? null,
            ms: seconds * 1_000 + nanoseconds / 1e6,
            failed: status.code === 2,
            attributes,
          },
          0,
        ),
      );
    }
    done(SUCCESS);
  }

  async shutdown(): Promise<void> {}
}

export class StderrMetrics implements PushMetricExporter {
  export(metrics: Parameters<PushMetricExporter["export"]>[0], done: Done): void {
    for (const { metrics: own } of metrics.scopeMetrics)
      for (const { descriptor, dataPoints } of own)
        for (const { attributes, value } of dataPoints)
          note(safeJson({ metric: descriptor.name, unit: descriptor.unit, attributes, value }, 0));
    done(SUCCESS);
  }

  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}
