import type { IncomingMessage } from "node:http";
import { measure, span } from "@knack/core/telemetry";

export interface TracedRequest {
  found(route: string | undefined): void;
  /** `isEndless`: a stream that ends when its reader leaves, which says nothing about the server. */
  answered(status: number, isEndless: boolean): void;
}

const METHODS = new Set(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"]);

/**
 * A request as a span, and its duration, by the conventions for HTTP: the pattern of its path and never the path itself,
 * its query or its headers.
 */
export async function traceRequest(
  { method: given = "", headers, socket }: IncomingMessage,
  work: (traced: TracedRequest) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const method = METHODS.has(given) ? given : "_OTHER";
  const attributes: Record<string, string | number> = { "http.request.method": method };
  const { traceparent, tracestate } = headers;
  const from = { traceparent: one(traceparent), tracestate: one(tracestate) };
  const name = method === "_OTHER" ? "HTTP" : method;
  let rest: Promise<void> = Promise.resolve();
  await span(
    name,
    { ...attributes, "url.scheme": "encrypted" in socket ? "https" : "http" },
    (traced) => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      rest = work({
        found: (route) => {
          if (route === undefined) return;
          attributes["http.route"] = route;
          traced.rename(`${name} ${route}`);
          traced.set({ "http.route": route });
        },
        answered: (status, isEndless) => {
          attributes["http.response.status_code"] = status;
          traced.set({ "http.response.status_code": status });
          if (status >= 500) traced.fail(`HTTP_${status}`);
          if (isEndless) end();
        },
      });
      return Promise.race([rest, ended]);
    },
    { kind: "server", from },
  );
  measure("http.server.request.duration", began, attributes);
  await rest;
}

/** Sent twice it is not valid. */
function one(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
