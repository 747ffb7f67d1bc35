import { KnackError } from "@knack/core";
import { answerTo, boundedMessage, codeOf, fewCandidates } from "@knack/core/text";
import { note } from "../terminal/output.ts";
import { escapeControl, messageOf } from "../terminal/visible.ts";
import { HttpError } from "./server/http-error.ts";

/** Folders to hide from clients, and their replacements. */
export type Hidden = readonly (readonly [folder: string, by: string])[];

/** What a client sees of an error: a code and a message; never a stack, the environment, SQL, paths or an access token. */
export function errorResponse(error: unknown, hidden: Hidden): Response {
  const { candidates } = error instanceof KnackError ? error : {};
  const { status, code, message, headers } = toHttpError(error);
  const told = hidden.reduce(
    (text, [folder, by]) => text.replaceAll(folder, by),
    boundedMessage(withoutTokens(message)),
  );
  return json(
    { error: { code, message: told, ...(candidates ? fewCandidates(candidates) : {}) } },
    status,
    headers,
  );
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (isMissing(error))
    return new HttpError(404, "NOT_FOUND", "It no longer exists; request the list again.");
  const code = codeOf(error);
  const { http, told } = answerTo(error);
  if (told === undefined && error instanceof KnackError) return new HttpError(http, code, error.message);
  note(`${code === "INTERNAL_ERROR" ? "error" : "note"}: ${escapeControl(withoutTokens(messageOf(error)))}`);
  if (code === "INTERNAL_ERROR" && process.env.KNACK_DEBUG && error instanceof Error) note(error.stack ?? "");
  return new HttpError(http, code, told ?? "");
}

/** The file was removed after the catalog was read. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** Somebody may paste a token where a name belongs, and messages quote names. */
function withoutTokens(message: string): string {
  return message.replaceAll(/knack_[A-Za-z0-9_-]{43}/g, "[redacted]");
}

/** A JSON answer. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const bytes = Buffer.from(JSON.stringify(value));
  return new Response(bytes, {
    status,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": String(bytes.length),
      ...headers,
    },
  });
}
