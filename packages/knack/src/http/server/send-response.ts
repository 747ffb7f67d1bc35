import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** For files whose name changes with their content. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

/** Sent with every answer, also to invalid HTTP. There is never an `Access-Control-*` header: no other page may read answers. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Writes an answer as fast as the client reads it, so that nothing piles up; closes the connection if the client stops
 * reading.
 */
export async function sendResponse(
  response: Response,
  to: ServerResponse,
  { isHead, stalledMs }: { readonly isHead: boolean; readonly stalledMs: number },
): Promise<void> {
  to.statusCode = response.status;
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) to.setHeader(name, value);
  for (const [name, value] of response.headers)
    if (!name.startsWith("access-control-") && (name !== "cache-control" || value === IMMUTABLE))
      to.setHeader(name, value);
  const reader = response.body?.getReader();
  const gone = (): void => void reader?.cancel().catch(() => undefined);
  to.once("close", gone);
  try {
    // A streamed answer may start long before its first byte.
    if (!response.headers.has("content-length")) to.flushHeaders();
    if (reader && !isHead) await copy(reader, to, stalledMs);
    else gone();
    to.end();
    if (!to.writableFinished && !to.destroyed) await within(once(to, "finish"), to, stalledMs);
  } catch {
    // After the answer has begun, the only way to report a failure is to close the connection.
    to.destroy();
  } finally {
    to.off("close", gone);
  }
}

async function copy(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  to: ServerResponse,
  stalledMs: number,
): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done || to.destroyed) return;
    if (!to.write(value)) await within(once(to, "drain"), to, stalledMs);
  }
}

/** Waits until the client reads on; throws if it disconnects or stalls. */
async function within(progress: Promise<unknown>, to: ServerResponse, stalledMs: number): Promise<void> {
  const stop = new AbortController();
  const closed = once(to, "close", { signal: stop.signal });
  const late = delay(stalledMs, "late", { signal: stop.signal });
  const quiet = (): undefined => undefined;
  for (const one of [progress, closed, late]) one.catch(quiet);
  const first = await Promise.race([progress, closed, late]);
  stop.abort();
  if (first === "late") throw new Error("The client stopped reading.");
}
