import { exportersOf, unsupported } from "./settings.ts";
import { warnOnce } from "./warn-once.ts";

/** Starts what the environment asks for. Wrong settings never fail a command. */
export async function startTelemetry(env: NodeJS.ProcessEnv): Promise<void> {
  const fault = unsupported(env);
  if (fault !== undefined) warnOnce(fault);
  try {
    if (exportersOf("TRACES", env).length > 0) (await import("./start-tracing.ts")).startTracing(env);
    const metrics = exportersOf("METRICS", env);
    if (metrics.length > 0) (await import("./push-metrics.ts")).pushMetrics(metrics, env);
  } catch {
    warnOnce("it cannot be started. Check the variables that begin with OTEL_.");
  }
}
