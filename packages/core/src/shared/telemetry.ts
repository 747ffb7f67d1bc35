/** Nobody listens until a program installs something. Attributes are names, ids, codes and counts: never content or paths. */

export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Span {
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** Marks it as failed. `code` says why; a message could quote anything. */
  fail(code: string): void;
}

export interface SpanOptions {
  /** `server`: the answer to a request from another process. */
  readonly kind?: "internal" | "server";
  /** `traceparent` and `tracestate` as the sender gave them; without `traceparent` the span begins a trace of its own. */
  readonly from?: TraceHeaders;
}

export interface TraceHeaders {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

export interface Tracing {
  span<T>(
    name: string,
    attributes: Attributes,
    work: (span: Span) => Promise<T>,
    options: SpanOptions,
  ): Promise<T>;
  /** The span in which the caller runs, for another process to continue. */
  headers(): TraceHeaders;
  /** Sends what is left, within a bounded time. Answers whether nothing is under way any more. */
  end(): Promise<boolean>;
}

export type Counter = "knack.runs" | "knack.cache.hits" | "knack.searches" | "knack.loads";
export type Duration =
  | "knack.run.duration"
  | "knack.search.duration"
  | "http.server.request.duration"
  | "mcp.server.operation.duration";

export interface Metering {
  count(name: Counter, attributes: Attributes): void;
  measure(name: Duration, seconds: number, attributes: Attributes): void;
  end(): Promise<boolean>;
}

let tracing: Tracing | undefined;
let metering: Metering | undefined;

export function installTracing(to: Tracing | undefined): void {
  tracing = to;
}

export function installMetering(to: Metering | undefined): void {
  metering = to;
}

const NO_SPAN: Span = { set() {}, rename() {}, fail() {} };

/** Does some work as a span. An error that it throws marks the span as failed. */
export function span<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
  options: SpanOptions = {},
): Promise<T> {
  return tracing ? tracing.span(name, attributes, work, options) : work(NO_SPAN);
}

export function count(name: Counter, attributes: Attributes = {}): void {
  metering?.count(name, attributes);
}

export function measure(name: Duration, since: number, attributes: Attributes = {}): void {
  metering?.measure(name, (performance.now() - since) / 1000, attributes);
}

export function isTraced(): boolean {
  return tracing !== undefined;
}

export function isObserved(): boolean {
  return tracing !== undefined || metering !== undefined;
}

/** For the environment of a child process, which joins the trace. */
export function traceEnvironment(): Readonly<Record<string, string>> {
  const { traceparent, tracestate } = tracing?.headers() ?? {};
  return {
    ...(traceparent ? { TRACEPARENT: traceparent } : {}),
    ...(traceparent && tracestate ? { TRACESTATE: tracestate } : {}),
  };
}

/** Never throws, and is bounded in time. `false`: something still keeps the process alive. */
export async function endTelemetry(): Promise<boolean> {
  const ends = await Promise.all([tracing?.end(), metering?.end()]);
  tracing = undefined;
  metering = undefined;
  return ends.every((isDone) => isDone !== false);
}
