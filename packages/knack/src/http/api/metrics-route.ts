import type { Route } from "./route.ts";

/** What Prometheus expects of a page of metrics. */
const TYPE = "text/plain; version=0.0.4; charset=utf-8";

export const metricsRoute: Route = {
  method: "GET",
  path: "/metrics",
  summary: "Counters of this server for Prometheus, and what waits in the queue.",
  type: "text/plain",
  handle: async () => {
    const { openMeters } = await import("../../telemetry/start-metering.ts");
    const bytes = Buffer.from(await openMeters().text());
    return new Response(bytes, {
      headers: { "Content-Type": TYPE, "Content-Length": String(bytes.length) },
    });
  },
};
