import type { IncomingMessage } from "node:http";
import type { KnackError } from "@knack/core";
import { invalid } from "../../options.ts";
import { httpError } from "../error-response.ts";
import type { ServerLimits } from "./limits.ts";

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** What a route takes as its body. A foreign page can send neither type without asking first. */
export type BodyKind = "json" | "upload";

const TYPES: Readonly<Record<BodyKind, RegExp>> = {
  json: /^application\/json *(?:; *charset="?utf-8"? *)?$/i,
  upload: /^application\/octet-stream$/i,
};

export function announcedKind({ headers }: IncomingMessage): BodyKind {
  return TYPES.upload.test(headers["content-type"] ?? "") ? "upload" : "json";
}

/** Checks type, encoding and length by the headers alone. */
export function checkBody({ headers }: IncomingMessage, kind: BodyKind, limits: ServerLimits): void {
  if (!TYPES[kind].test(headers["content-type"] ?? ""))
    throw httpError(
      415,
      "INVALID_PARAM",
      kind === "json"
        ? "The body must be JSON. Send Content-Type: application/json."
        : "The body must be the file. Send Content-Type: application/octet-stream.",
    );
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
    throw httpError(415, "INVALID_PARAM", "Content-Encoding is not supported. Send the body uncompressed.");
  const maxBytes = maxBytesOf(kind, limits);
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** The body as it arrives; without a Content-Length, counts the bytes. */
export async function* readBody(
  request: IncomingMessage,
  kind: BodyKind,
  limits: ServerLimits,
): AsyncGenerator<Buffer> {
  const maxBytes = maxBytesOf(kind, limits);
  let length = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      yield piece;
    }
  } catch (error) {
    if (length > maxBytes) throw error;
    // The client is gone. A client that only closed its sending side still gets the answer.
    throw invalid("The body ended too soon.");
  }
}

function maxBytesOf(kind: BodyKind, { bodyBytes, uploadBytes }: ServerLimits): number {
  return kind === "json" ? bodyBytes : uploadBytes;
}

function tooLarge(maxBytes: number): KnackError {
  return httpError(413, "INVALID_PARAM", `The body is too large; at most ${maxBytes} bytes are allowed.`);
}
