import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

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
  answer: Response,
  to: ServerResponse,
  { isHead, stalledMs }: { readonly isHead: boolean; readonly stalledMs: number },
): Promise<void> {
  to.statusCode = answer.status;
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) to.setHeader(name, value);
  for (const [name, value] of answer.headers)
    if (!name.startsWith("access-control-") && (name !== "cache-control" || value === IMMUTABLE))
      to.setHeader(name, value);
  // A stream that has nothing to say is quiet for long, too.
  to.setTimeout(stalledMs, () => {
    if (to.writableLength > 0) to.destroy();
  });
  // A streamed answer may start long before its first byte.
  if (!answer.headers.has("content-length")) to.flushHeaders();
  const body = answer.body && Readable.fromWeb(answer.body as ReadableStream);
  try {
    if (body && !isHead) await pipeline(body, to);
    else await finished(to.end());
  } catch {
    // The client has left. If the answer failed, closing the connection is the only way to report it.
    to.destroy();
  } finally {
    body?.destroy();
  }
}
