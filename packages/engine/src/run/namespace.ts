import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { knackHome, readOwn, writeDurably, writeFailure } from "@knack/core/internal/engine";
import { EngineError } from "../shared/engine-error.ts";

/**
 * A word that only this user's Knack knows. In a project that is not trusted it is part of every key: a database that came
 * with the project may hold results that nobody made, and none of them has such a key.
 */
export function ownNamespace(place: { readonly env: NodeJS.ProcessEnv; readonly home: string }): string {
  const file = join(knackHome(place.env, place.home), "namespace");
  const known = readNamespace(file);
  if (known !== undefined) return known;
  const failure = writeDurably(file, 0o600, `${randomBytes(32).toString("hex")}\n`);
  // Another process may have made it first; then that one counts.
  const made = failure ? undefined : readNamespace(file);
  if (made === undefined)
    throw new EngineError(
      "EXECUTION_ERROR",
      failure
        ? writeFailure(file, failure, true)
        : `${file} cannot be read; remove it, and Knack creates a new one.`,
    );
  return made;
}

function readNamespace(file: string): string | undefined {
  const content = readOwn(dirname(file), file, 1024);
  if ("fault" in content) return undefined;
  return /^[0-9a-f]{64}$/m.exec(content.bytes.toString("utf8"))?.[0];
}
