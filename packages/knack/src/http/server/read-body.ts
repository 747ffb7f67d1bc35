import type { IncomingMessage } from "node:http";
import type { BodyShare } from "./body-room.ts";
import { HttpError } from "./http-error.ts";

/** Whether the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Checks type, encoding and length by the headers alone. */
export function checkBody({ headers }: IncomingMessage, maxBytes: number): void {
  const type = headers["content-type"] ?? "";
  if (!/^application\/json *(?:; *charset="?utf-8"? *)?$/i.test(type))
    throw new HttpError(415, "INVALID_PARAM", "The body must be JSON. Send Content-Type: application/json.");
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
    throw new HttpError(
      415,
      "INVALID_PARAM",
      "Content-Encoding is not supported. Send the body uncompressed.",
    );
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** Reads the body; without a Content-Length, counts the bytes. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  share: BodyShare,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      share.grow(length);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof HttpError) throw error;
    // The client is gone. A client that only closed its sending side still gets the answer.
    throw new HttpError(400, "INVALID_PARAM", "The body ended too soon.");
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, "INVALID_PARAM", `The body is too large; at most ${maxBytes} bytes are allowed.`);
}
