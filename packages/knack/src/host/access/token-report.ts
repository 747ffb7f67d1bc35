import type { AccessToken } from "@knack/engine";

/** A token as `--json` and the API show it. */
export function tokenReport({ name, role, createdAt, createdBy, revokedAt }: AccessToken) {
  return { name, role, created_at: createdAt, created_by: createdBy, revoked_at: revokedAt };
}
