import { isDeepStrictEqual } from "node:util";
import { maskSecrets } from "../run/mask-secrets.ts";
import { EngineError } from "../shared/engine-error.ts";

/** What is queued is stored, and secrets never are. */
export function refuseSecrets(skill: string, params: Readonly<Record<string, unknown>>): void {
  if (isDeepStrictEqual(maskSecrets(params), params)) return;
  throw new EngineError(
    "INVALID_PARAM",
    `A parameter of ${skill} looks like a secret, and parameters of queued runs are stored in the database. Run it without --queue, or list a variable under "env" in its entry and set it on the workers.`,
  );
}
