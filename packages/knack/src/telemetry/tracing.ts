import {
  type Attributes,
  installTracing,
  type Span,
  type SpanOptions,
  type TraceHeaders,
  type Tracing,
} from "@knack/core/telemetry";
import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { version } from "../version.ts";
import { cleanAttributes, cleanCode, errorType, ownResource } from "./attributes.ts";
import { propagates, timeoutOf, warnsOfExport, withinEnd } from "./settings.ts";

/** Sends spans as the environment says. The sampler is the SDK's own (`OTEL_TRACES_SAMPLER`). */
export function startTracing(env: NodeJS.ProcessEnv): void {
  const exporter = warnsOfExport(new OTLPTraceExporter({ timeoutMillis: timeoutOf("TRACES", env) }));
  const provider = new NodeTracerProvider({
    resource: ownResource(),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register(propagates(env) ? {} : { propagator: null });
  installTracing(new OpenTelemetryTracing(provider, env));
}

class OpenTelemetryTracing implements Tracing {
  readonly #provider: NodeTracerProvider;
  readonly #tracer: Tracer;
  readonly #base: Context;

  constructor(provider: NodeTracerProvider, { TRACEPARENT, TRACESTATE }: NodeJS.ProcessEnv) {
    this.#provider = provider;
    this.#tracer = provider.getTracer("knack", version);
    this.#base = contextFrom({ traceparent: TRACEPARENT, tracestate: TRACESTATE });
  }

  span<T>(
    name: string,
    attributes: Attributes,
    work: (span: Span) => Promise<T>,
    { kind, from }: SpanOptions,
  ): Promise<T> {
    const ambient = context.active();
    const own = ambient === ROOT_CONTEXT ? this.#base : ambient;
    const around = trace.getSpanContext(ambient);
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kind === "server" ? SpanKind.SERVER : SpanKind.INTERNAL,
        attributes: cleanAttributes(attributes),
        // The sender's span is the parent; the span of the connection that brought the request is linked.
        ...(from && around ? { links: [{ context: around }] } : {}),
      },
      from ? contextFrom(from) : own,
    );
    const fail = (code: string): void => {
      span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute("error.type", code);
    };
    const handle: Span = {
      set: (more) => void span.setAttributes(cleanAttributes(more)),
      rename: (to) => void span.updateName(to),
      fail: (code) => fail(cleanCode(code)),
    };
    return context.with(trace.setSpan(ambient, span), async () => {
      try {
        return await work(handle);
      } catch (error) {
        fail(errorType(error));
        throw error;
      } finally {
        span.end();
      }
    });
  }

  headers(): TraceHeaders {
    const carrier: { traceparent?: string; tracestate?: string } = {};
    propagation.inject(context.active(), carrier);
    return carrier;
  }

  async end(): Promise<boolean> {
    const isDone = await withinEnd(() => this.#provider.forceFlush());
    trace.disable();
    context.disable();
    propagation.disable();
    return isDone;
  }
}

function contextFrom({ traceparent, tracestate }: TraceHeaders): Context {
  if (!traceparent) return ROOT_CONTEXT;
  return propagation.extract(ROOT_CONTEXT, { traceparent, ...(tracestate ? { tracestate } : {}) });
}
