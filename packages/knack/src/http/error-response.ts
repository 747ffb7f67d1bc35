import { SkillError } from "@knack/core";
import { boundedMessage, fewCandidates } from "@knack/core/internal";
import { EngineError, StoreError } from "@knack/engine";
import { messageOf } from "../terminal/message-of.ts";
import { note } from "../terminal/output.ts";
import { visible } from "../terminal/visible.ts";
import { json } from "./api/route.ts";
import { HttpError } from "./server/http-error.ts";

const STATUS: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  AMBIGUOUS: 409,
  CONFLICT: 409,
  INVALID_PARAM: 400,
  IS_DIRECTORY: 400,
  ACCESS_DENIED: 403,
  PERMISSION_DENIED: 403,
  BINARY_FILE: 422,
  TIMEOUT: 504,
};

/** Folders that a client must not learn, and what replaces them. */
export type Hidden = readonly (readonly [folder: string, by: string])[];

/** What a client learns about a failure: a code and a sentence; never a stack, the environment, SQL or paths. */
export function errorResponse(error: unknown, hidden: Hidden): Response {
  const { status, code, message, headers, candidates } = toHttpError(error);
  const told = hidden.reduce((text, [folder, by]) => text.replaceAll(folder, by), boundedMessage(message));
  return json(
    { error: { code, message: told, ...(candidates ? fewCandidates(candidates) : {}) } },
    status,
    headers,
  );
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof SkillError && error.code === "CONFIG_INVALID") {
    note(`note: ${visible(error.message)}`);
    return new HttpError(500, error.code, 'The configuration has an error; "knack doctor" shows where.');
  }
  if (error instanceof StoreError) {
    note(`note: ${visible(error.message)}`);
    return new HttpError(500, error.code, 'The database cannot be used; "knack doctor" shows why.');
  }
  if (error instanceof SkillError || error instanceof EngineError) {
    const { message, candidates } = error;
    const code: string = error.code;
    if (code !== "INTERNAL_ERROR") return new HttpError(STATUS[code] ?? 500, code, message, { candidates });
  }
  if (isMissing(error))
    return new HttpError(404, "NOT_FOUND", "It no longer exists; request the list again.");
  note(`error: ${visible(messageOf(error))}`);
  if (process.env.KNACK_DEBUG && error instanceof Error) note(error.stack ?? "");
  const message = "Internal error; see the standard error of the server.";
  return new HttpError(500, "INTERNAL_ERROR", message);
}

/** A file that went away between the catalog's look and this one. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
