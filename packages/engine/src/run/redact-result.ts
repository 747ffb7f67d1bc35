import { hash } from "node:crypto";
import { REDACTED, redact, redactText } from "../audit/redact.ts";
import type { Executed, RunError } from "./claimed-run.ts";
import type { PreparedRun } from "./prepare-run.ts";

/** An error is for a reader, and stays in the log for ever. */
const MAX_CODE = 100;
const MAX_MESSAGE = 4_000;
const SHORTEST_SECRET = 4;

/** What an execution said, fit to be recorded: bounded, without the secrets that it was given and what looks like one. */
export function redactResult(
  executed: Executed,
  given: Pick<PreparedRun, "params" | "env">,
): { readonly logTail: string; readonly error: RunError | null } {
  const hide = secretHider(given);
  const { logTail, error } = executed;
  if (error === null) return { logTail: hide(logTail), error };
  const message = error.message.slice(0, 2 * MAX_MESSAGE);
  return {
    logTail: hide(logTail),
    error: {
      code: hide(error.code.slice(0, MAX_CODE)) || "SKILL_FAILED",
      message: hide(message).slice(0, MAX_MESSAGE).toWellFormed(),
    },
  };
}

/** Removes from a text the secrets that a run was given, and what looks like one. */
export function secretHider(given: Pick<PreparedRun, "params" | "env">): (text: string) => string {
  const secrets = secretsOf(given);
  return (text) => {
    let result = text.toWellFormed();
    for (const secret of secrets) result = result.replaceAll(secret, REDACTED);
    return redactText(result);
  };
}

/** The longest first: one may be part of another. */
function secretsOf({ params, env }: Pick<PreparedRun, "params" | "env">): string[] {
  const found = new Set<string>();
  redact({ params, env }, (secret) => {
    if (secret.length >= SHORTEST_SECRET) found.add(secret);
    return "";
  });
  return [...found].sort((a, b) => b.length - a.length);
}

/** Parameters as they are kept: a value that looks like a secret is its digest, so that two runs can still be compared. */
export function maskSecrets(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const digest = (secret: string): string => `sha256:${hash("sha256", secret)}`;
  return redact(params, digest) as Record<string, unknown>;
}
