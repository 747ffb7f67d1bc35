import { ReadableStream as Stream } from "node:stream/web";
import { type ErrorCode, KnackError } from "@knack/core";
import { answerTo, boundedMessage, codeOf, fewCandidates } from "@knack/core/text";
import { notFound } from "../options.ts";
import { note } from "../terminal/output.ts";
import { escapeControl, messageOf, safeJson } from "../terminal/visible.ts";

export type Hidden = readonly (readonly [folder: string, by: string])[];

export function httpError(
  status: number,
  code: ErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): KnackError {
  return new KnackError(code, message, { http: { status, headers } });
}

/** What a client sees of an error: a code and a message; never a stack, the environment, SQL, paths or an access token. */
export function errorResponse(thrown: unknown, hidden: Hidden): Response {
  const error = isMissing(thrown) ? notFound("It no longer exists; request the list again.") : thrown;
  const code = codeOf(error);
  const answer = answerTo(error);
  const { candidates, http } = error instanceof KnackError ? error : {};
  const isTold = error instanceof KnackError && (http !== undefined || answer.told === undefined);
  if (!isTold) {
    note(
      `${code === "INTERNAL_ERROR" ? "error" : "note"}: ${escapeControl(withoutTokens(messageOf(error)))}`,
    );
    if (code === "INTERNAL_ERROR" && process.env.KNACK_DEBUG && error instanceof Error)
      note(error.stack ?? "");
  }
  const whole = boundedMessage(withoutTokens(isTold ? error.message : (answer.told ?? "")));
  const message = hidden.reduce((text, [folder, by]) => text.replaceAll(folder, by), whole);
  const body = { error: { code, message, ...(candidates ? fewCandidates(candidates) : {}) } };
  return json(body, http?.status ?? answer.http, http?.headers);
}

/** The file was removed after the catalog was read. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** Somebody may paste a token where a name belongs, and messages quote names. */
function withoutTokens(message: string): string {
  return message.replaceAll(/knack_[A-Za-z0-9_-]{43}/g, "[redacted]");
}

/** A JSON answer, whose bytes are harmless on a terminal too. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const bytes = Buffer.from(safeJson(value));
  return new Response(bytes, {
    status,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": String(bytes.length),
      ...headers,
    },
  });
}

/** An answer that is made as it is read: nothing piles up for a slow reader. */
export function streamed(parts: AsyncIterable<string>, headers: Readonly<Record<string, string>>): Response {
  return new Response(Stream.from(encoded(parts)) as ReadableStream<Uint8Array>, { headers });
}

async function* encoded(parts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield encoder.encode(part);
}
