import { note } from "../terminal/output.ts";
import { within } from "../within.ts";

/** What the environment asks for. A project's configuration has no say: it could send data to a stranger's server. */

export type Signal = "TRACES" | "METRICS";

const SIGNALS: readonly Signal[] = ["TRACES", "METRICS"];

/** Whether anything is to be sent. Until then not a line of OpenTelemetry is loaded. */
export function isTelemetryOn(env: NodeJS.ProcessEnv): boolean {
  return SIGNALS.some((signal) => isExported(signal, env));
}

/** By `OTEL_TRACES_EXPORTER`; without it by OTLP where an endpoint is set. */
export function isExported(signal: Signal, env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return false;
  const asked = namedExporters(signal, env);
  if (asked.length > 0) return asked.includes("otlp");
  return Boolean(env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || env.OTEL_EXPORTER_OTLP_ENDPOINT);
}

function namedExporters(signal: Signal, env: NodeJS.ProcessEnv): string[] {
  const names = (env[`OTEL_${signal}_EXPORTER`] ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "");
}

/** What cannot be done as asked, for a person to read; `undefined` if all can. */
export function unsupported(env: NodeJS.ProcessEnv): string | undefined {
  for (const signal of SIGNALS) {
    if (!namedExporters(signal, env).every((name) => name === "none" || name === "otlp"))
      return `OTEL_${signal}_EXPORTER names an exporter that Knack does not have; use otlp or none.`;
    const protocol = env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] || env.OTEL_EXPORTER_OTLP_PROTOCOL;
    if (protocol === "grpc" && isExported(signal, env))
      return "OTEL_EXPORTER_OTLP_PROTOCOL: Knack does not send gRPC; it sends http/json, usually to port 4318.";
  }
  return undefined;
}

/** How long the end of a command may wait for a collector. */
const END_MS = 2_000;

/** How long one request may take: never longer than the end of a command waits. */
export function timeoutOf(signal: Signal, env: NodeJS.ProcessEnv): number {
  const stated = Number(env[`OTEL_EXPORTER_OTLP_${signal}_TIMEOUT`] || env.OTEL_EXPORTER_OTLP_TIMEOUT);
  return stated > 0 ? Math.min(stated, END_MS) : END_MS;
}

/** Whether spans follow a `traceparent` from outside, and hand theirs on. */
export function propagates(env: NodeJS.ProcessEnv): boolean {
  const names = (env.OTEL_PROPAGATORS || "tracecontext").split(",").map((name) => name.trim());
  return names.includes("tracecontext");
}

let hasWarned = false;

/** One line for a process, whatever goes wrong: telemetry is not what the user came for. */
export function warnOnce(line: string): void {
  if (hasWarned) return;
  hasWarned = true;
  note(`note: OpenTelemetry: ${line}`);
}

/** Why an export failed, without what a server answered: that could be anything. */
function warnOfExport(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  let reason = "did not accept the data in time";
  if (typeof code === "number") reason = `answered ${code}`;
  if (typeof code === "string") reason = `cannot be reached (${code})`;
  warnOnce(`the collector ${reason}. Check OTEL_EXPORTER_OTLP_ENDPOINT, or unset it.`);
}

/** The exporter, of spans or metrics, which says once that nothing arrives, and goes on. */
// biome-ignore lint/suspicious/noExplicitAny: each takes items and results of its own kind.
export function warnsOfExport<T extends { export(items: any, done: (result: any) => void): void }>(
  exporter: T,
): T {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.error) warnOfExport(result.error);
      done(result);
    });
  return exporter;
}

/** Waits for the last export, but not long. Answers whether it is over, done or failed. */
export async function withinEnd(flush: () => Promise<void>): Promise<boolean> {
  const over = (): true => true;
  const isDone = await within(END_MS, flush().then(over, over), false);
  if (!isDone) warnOfExport(undefined);
  return isDone;
}
