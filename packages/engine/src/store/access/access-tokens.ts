import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { KnackError } from "@knack/core/text";
import { type Database, rowsOf, updateRow } from "../database.ts";
import type { Store } from "../store.ts";

/** What the holder of a token may do; each role includes those before it. */
export const ROLES = ["reader", "runner", "approver", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** A token as it is listed. The token itself is nowhere: the store has its SHA-256 alone. */
export interface AccessToken {
  readonly name: string;
  readonly role: Role;
  readonly created_at: string;
  readonly created_by: string;
  readonly revoked_at: string | null;
}

const COLUMNS = "name, role, created_at, created_by, revoked_at";

/** The prefix lets secret scanners, and the redaction of the log, find a token that leaked. */
const PREFIX = "knack_";
const TOKEN = /^knack_[A-Za-z0-9_-]{43}$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/** Adds a token and returns its text, which cannot be read again. The name of a revoked token may be used again. */
export async function addAccessToken(
  store: Store,
  { name, role }: { readonly name: string; readonly role: string },
): Promise<{ readonly text: string; readonly token: AccessToken }> {
  checkName(name);
  const known = ROLES.find((one) => one === role);
  if (known === undefined)
    throw new KnackError("INVALID_PARAM", `The role of a token is ${ROLES.join(", ")}.`);
  const text = `${PREFIX}${randomBytes(32).toString("base64url")}`;
  const token = { name, role: known, created_at: store.now().toISOString(), created_by: store.actor };
  await store.db.transaction(async (tx) => {
    const { changes } = await tx.run(
      `INSERT INTO access_tokens (name, role, token_sha256, created_at, created_by, revoked_at)
       VALUES (?, ?, ?, ?, ?, NULL)
       ON CONFLICT (name) DO UPDATE SET role = excluded.role, token_sha256 = excluded.token_sha256,
         created_at = excluded.created_at, created_by = excluded.created_by, revoked_at = NULL
       WHERE access_tokens.revoked_at IS NOT NULL`,
      [name, known, hash("sha256", text), token.created_at, token.created_by],
    );
    if (changes === 0)
      throw new KnackError(
        "CONFLICT",
        `There is a token "${name}" already. Revoke it first (knack token revoke ${name}), or choose another name.`,
      );
    await record(store, tx, "TOKEN_ADDED", token, token.created_at);
  });
  return { text, token: { ...token, revoked_at: null } };
}

/** Revokes a token: from the next request on it is refused. */
export async function revokeAccessToken(store: Store, name: string): Promise<AccessToken> {
  checkName(name);
  return store.db.transaction(async (tx) => {
    const found = (await listAccessTokens(tx)).find((token) => token.name === name && !token.revoked_at);
    if (!found)
      throw new KnackError("NOT_FOUND", `There is no token "${name}"; "knack token list" lists them.`);
    return revoke(store, tx, found);
  });
}

/** Revokes all of them. A database that came from elsewhere has tokens that its maker knows. */
export async function revokeAllAccessTokens(store: Store): Promise<number> {
  return store.db.transaction(async (tx) => {
    const valid = (await listAccessTokens(tx)).filter((token) => !token.revoked_at);
    for (const token of valid) await revoke(store, tx, token);
    return valid.length;
  });
}

export function listAccessTokens(db: Database): Promise<AccessToken[]> {
  return rowsOf<AccessToken>(db, `SELECT ${COLUMNS} FROM access_tokens ORDER BY name`);
}

/** Whose token a text is. Only its digest reaches the database. `id` differs when a name is used again. */
export async function findAccessToken(
  db: Database,
  text: string,
): Promise<(AccessToken & { readonly id: string }) | undefined> {
  if (!TOKEN.test(text)) return undefined;
  const digest = hash("sha256", text);
  const [found] = await rowsOf<AccessToken & { readonly token_sha256: string }>(
    db,
    `SELECT ${COLUMNS}, token_sha256 FROM access_tokens WHERE token_sha256 = ? AND revoked_at IS NULL`,
    [digest],
  );
  if (!found || !timingSafeEqual(Buffer.from(found.token_sha256), Buffer.from(digest))) return undefined;
  const { token_sha256: _, ...token } = found;
  return { ...token, id: digest.slice(0, 16) };
}

function checkName(name: string): void {
  // Not quoted: somebody may have pasted a token.
  if (name.startsWith(PREFIX))
    throw new KnackError("INVALID_PARAM", "Give the name of a token, not the token itself.");
  if (!NAME.test(name))
    throw new KnackError(
      "INVALID_PARAM",
      "The name of a token has 1 to 64 letters, digits and . _ @ -, and starts with a letter or digit.",
    );
}

async function revoke(store: Store, tx: Database, token: AccessToken): Promise<AccessToken> {
  const revoked_at = store.now().toISOString();
  await updateRow(tx, "access_tokens", { name: token.name }, { revoked_at });
  await record(store, tx, "TOKEN_REVOKED", token, revoked_at);
  return { ...token, revoked_at };
}

function record(
  { record: append, actor }: Store,
  tx: Database,
  type: "TOKEN_ADDED" | "TOKEN_REVOKED",
  { name, role }: { readonly name: string; readonly role: Role },
  at: string,
): Promise<void> {
  return append(tx, [{ type, payload: { name, role } }], {
    actor,
    at,
    rows: [{ table: "access_tokens", key: [name] }],
  });
}
