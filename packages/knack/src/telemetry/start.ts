import { isExported, unsupported, warnOnce } from "./settings.ts";

/** Starts what the environment asks for. Wrong settings never fail a command. */
export async function startTelemetry(env: NodeJS.ProcessEnv): Promise<void> {
  const fault = unsupported(env);
  if (fault !== undefined) warnOnce(fault);
  try {
    if (isExported("TRACES", env)) (await import("./tracing.ts")).startTracing(env);
    if (isExported("METRICS", env)) (await import("./push-metrics.ts")).pushMetrics(env);
  } catch {
    warnOnce("it cannot be started. Check the variables that begin with OTEL_.");
  }
}
