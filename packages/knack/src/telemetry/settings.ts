/** What the environment asks for. A project's configuration has no say: it could send data to a stranger's server. */

export type Signal = "TRACES" | "METRICS";
export type Exporter = "otlp" | "console";

const EXPORTERS: readonly Exporter[] = ["otlp", "console"];
const SIGNALS: readonly Signal[] = ["TRACES", "METRICS"];

/** Whether anything is to be sent. Until then not a line of OpenTelemetry is loaded. */
export function isTelemetryOn(env: NodeJS.ProcessEnv): boolean {
  return SIGNALS.some((signal) => exportersOf(signal, env).length > 0);
}

/** By `OTEL_TRACES_EXPORTER`; without it by OTLP where an endpoint is set. */
export function exportersOf(signal: Signal, env: NodeJS.ProcessEnv): readonly Exporter[] {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return [];
  const asked = namedExporters(signal, env);
  if (asked.length > 0) return EXPORTERS.filter((exporter) => asked.includes(exporter));
  const endpoint = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint ? ["otlp"] : [];
}

function namedExporters(signal: Signal, env: NodeJS.ProcessEnv): string[] {
  const names = (env[`OTEL_${signal}_EXPORTER`] ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "");
}

/** What cannot be done as asked, for a person to read; `undefined` if all can. */
export function unsupported(env: NodeJS.ProcessEnv): string | undefined {
  for (const signal of SIGNALS) {
    const isKnown = (name: string): boolean => name === "none" || EXPORTERS.some((one) => one === name);
    if (!namedExporters(signal, env).every(isKnown))
      return `OTEL_${signal}_EXPORTER names an exporter that Knack does not have; use otlp, console or none.`;
    const protocol = env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] || env.OTEL_EXPORTER_OTLP_PROTOCOL;
    if (protocol === "grpc" && exportersOf(signal, env).includes("otlp"))
      return "OTEL_EXPORTER_OTLP_PROTOCOL: Knack does not send gRPC; it sends http/json, usually to port 4318.";
  }
  return undefined;
}

/** How long the end of a command may wait for a collector. */
export const END_MS = 2_000;

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
