import { describe, expect, it } from "vitest";
import { verifyStore } from "../../../audit/verify-store.ts";
import {
  addAccessToken,
  findAccessToken,
  listAccessTokens,
  revokeAccessToken,
  revokeAllAccessTokens,
} from "../../access/access-tokens.ts";
import type { Database } from "../../database.ts";
import type { DatabaseUnderTest } from "./contract.ts";
import { storeForEach } from "./store-for-each.ts";

/** What access tokens must be on every database. */
export function describeAccess(name: string, open: () => Promise<DatabaseUnderTest>): void {
  describe(`the access tokens contract: ${name}`, () => {
    const test = storeForEach(open);
    const add = (who: string, role = "reader") => addAccessToken(test.store, { name: who, role });

    it("finds a token until it is revoked, and stores its SHA-256 alone", async () => {
      const { text, token } = await add("alice", "approver");
      expect(text).toMatch(/^knack_[\w-]{43}$/);
      expect(token).toMatchObject({ name: "alice", role: "approver", revoked_at: null });
      expect(await findAccessToken(test.db, text)).toMatchObject({ name: "alice", role: "approver" });
      const rows = [
        ...(await test.db.all("SELECT * FROM access_tokens")),
        ...(await test.db.all("SELECT * FROM task_events")),
      ];
      expect(JSON.stringify(rows)).not.toContain(text.slice(6));
      await revokeAccessToken(test.store, "alice");
      expect(await findAccessToken(test.db, text)).toBeUndefined();
      expect(await listAccessTokens(test.db)).toMatchObject([
        { name: "alice", revoked_at: expect.any(String) },
      ]);
    });

    it("finds nothing for a text that is no token, and asks the database for digests alone", async () => {
      const { text } = await add("alice");
      const asked: unknown[] = [];
      const spied: Pick<Database, "all"> = {
        all: (sql, parameters) => {
          asked.push(...(parameters ?? []));
          return test.db.all(sql, parameters);
        },
      };
      const last = text.endsWith("A") ? "B" : "A";
      const others = [
        "",
        "alice",
        text.slice(0, -1),
        `${text}x`,
        `${text.slice(0, -1)}${last}`,
        text.toUpperCase(),
      ];
      for (const other of others)
        expect(await findAccessToken(spied as Database, other), other).toBeUndefined();
      expect(await findAccessToken(spied as Database, text)).toBeDefined();
      for (const parameter of asked) expect(parameter).toMatch(/^[0-9a-f]{64}$/);
    });

    it("has one valid token a name; the name of a revoked one may be used again, with another id", async () => {
      const first = await add("alice");
      await expect(add("alice", "owner")).rejects.toMatchObject({ code: "CONFLICT" });
      const before = await findAccessToken(test.db, first.text);
      await revokeAccessToken(test.store, "alice");
      const second = await add("alice", "owner");
      expect(await findAccessToken(test.db, first.text)).toBeUndefined();
      const after = await findAccessToken(test.db, second.text);
      expect(after).toMatchObject({ role: "owner", revoked_at: null });
      expect(after?.id).not.toBe(before?.id);
    });

    it("gives a name once where several ask at the same time", async () => {
      const all = await Promise.allSettled(Array.from({ length: 10 }, () => add("alice")));
      expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    });

    it.each(["", " ", "-x", "a b", "a\nb", "x".repeat(65), "é", "../x"])(
      "refuses the name %j",
      async (wrong) => {
        await expect(add(wrong)).rejects.toMatchObject({ code: "INVALID_PARAM" });
      },
    );

    it("refuses a role that there is not, and a token in place of a name without repeating it", async () => {
      await expect(add("alice", "admin")).rejects.toMatchObject({ code: "INVALID_PARAM" });
      const { text } = await add("alice");
      const refusal = await revokeAccessToken(test.store, text).catch((error: Error) => error);
      expect(refusal).toMatchObject({ code: "INVALID_PARAM" });
      expect(String(refusal)).not.toContain(text.slice(6));
      await expect(revokeAccessToken(test.store, "bob")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("records each change with its actor, and a row that another hand wrote is found", async () => {
      await add("alice");
      await add("bob", "owner");
      await revokeAccessToken({ ...test.store, actor: "token:bob" }, "alice");
      const rows = await test.db.all("SELECT event_type, actor FROM task_events ORDER BY seq");
      expect(rows.map(({ event_type, actor }) => [event_type, actor])).toEqual([
        ["TOKEN_ADDED", test.store.actor],
        ["TOKEN_ADDED", test.store.actor],
        ["TOKEN_REVOKED", "token:bob"],
      ]);
      expect(await verifyStore(test.db)).toMatchObject({ ok: true, rows: 2 });
      await test.db.run("UPDATE access_tokens SET role = 'owner' WHERE name = 'alice'");
      expect(await verifyStore(test.db)).toMatchObject({ ok: false, fault: "row changed", row: "alice" });
    });

    it("revokes all of a database that came from elsewhere", async () => {
      const { text } = await add("alice");
      await add("bob");
      expect(await revokeAllAccessTokens(test.store)).toBe(2);
      expect(await revokeAllAccessTokens(test.store)).toBe(0);
      expect(await findAccessToken(test.db, text)).toBeUndefined();
      expect(await verifyStore(test.db)).toMatchObject({ ok: true, rows: 2 });
    });
  });
}
