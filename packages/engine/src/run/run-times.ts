import { quote } from "@knack/core/internal/engine";
import { EngineError } from "../shared/engine-error.ts";

/** A day, as for `timeout_seconds`; timers count no further than 24 of them. */
const MAX_SECONDS = 86_400;

/** How long a run may take and how long its key is held without renewal, as the environment says. */
export function runTimes(env: NodeJS.ProcessEnv): { readonly leaseMs: number; readonly timeoutMs: number } {
  return {
    leaseMs: secondsIn(env, "KNACK_RUN_LEASE_SECONDS", 30) * 1000,
    timeoutMs: secondsIn(env, "KNACK_RUN_TIMEOUT_SECONDS", 600) * 1000,
  };
}

function secondsIn(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name] ?? "";
  const seconds = text === "" ? fallback : Number(text);
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  throw new EngineError(
    "INVALID_PARAM",
    `${name} must be a number of seconds above 0, at most ${MAX_SECONDS}, found ${quote(text)}.`,
  );
}
