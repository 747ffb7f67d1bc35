import { createHash } from "node:crypto";
import { redact } from "../audit/redact.ts";

/** Parameters as they are kept: a value that looks like a secret is its digest, so that two runs can still be compared. */
export function maskSecrets(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const digest = (secret: string): string => `sha256:${createHash("sha256").update(secret).digest("hex")}`;
  return redact(params, digest) as Record<string, unknown>;
}
