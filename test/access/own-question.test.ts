import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { callText, connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { addTokens, bearer, makeTeamProject, type Role } from "./team.ts";

const CONFIG = "home/.knack/config.yaml";

let folder: Folder;
let server: Server;
let tokens: Record<Role, string>;

beforeAll(async () => {
  folder = makeTeamProject();
  folder.write({ [CONFIG]: "permissions: { default: confirm }\n" });
  tokens = addTokens(folder);
  server = await Server.start(folder);
});
afterAll(async () => {
  await server.end();
  folder[Symbol.dispose]();
});

/** What a client that says yes and "always" to everything gets, and how often it was asked. */
async function load(role: Role, revision: string) {
  const asked: unknown[] = [];
  const client = await connectClient(server, {
    revision,
    headers: bearer(tokens[role]),
    elicit: (params) => {
      asked.push(params);
      return { action: "accept", content: { remember: true } };
    },
  });
  const text = await callText(client, "skill_load", { name: "good", force: true });
  await client.close();
  return { asked: asked.length, text };
}

describe.each(["2025-11-25", "2026-07-28"])(
  "promise 18: nobody answers their own question, revision %s",
  (revision) => {
    it.each(["reader", "runner"] as const)("the client of a %s is not asked", async (role) => {
      const { asked, text } = await load(role, revision);
      expect(asked).toBe(0);
      expect(text).toMatch(/requires confirmation .*nobody can be asked here/);
    });

    it("the client of an approver is asked, and its word does not become a rule", async () => {
      const { asked, text } = await load("approver", revision);
      expect(asked).toBe(1);
      expect(text).toContain("<skill_context ");
      expect(readFileSync(folder.at(CONFIG), "utf8")).toBe("permissions: { default: confirm }\n");
    });
  },
);

it("promise 18: a token cannot answer on the page what its own client asks; another can", async () => {
  const { approver, runner, owner } = tokens;
  const events = await fetch(`${server.url}/api/events?answers=true`, { headers: bearer(approver) });
  const open = async () => {
    const answer = await fetch(`${server.url}/api/questions`, { headers: bearer(approver) });
    return ((await answer.json()) as { questions: { id: string }[] }).questions.map(({ id }) => id);
  };
  const answer = async (id: string, token: string) => {
    const headers = { ...bearer(token), "Content-Type": "application/json" };
    const body = JSON.stringify({ answer: "allow" });
    return (await fetch(`${server.url}/api/questions/${id}`, { method: "POST", headers, body })).status;
  };
  try {
    for (const [asker, statuses] of [
      [approver, { [approver]: 403, [owner]: 200 }],
      [runner, { [runner]: 403, [approver]: 200 }],
    ] as const) {
      const client = await connectClient(server, { headers: bearer(asker) });
      const asking = callText(client, "skill_load", { name: "good", force: true });
      await expect.poll(open).toHaveLength(1);
      const [id = ""] = await open();
      for (const [token, status] of Object.entries(statuses)) expect(await answer(id, token)).toBe(status);
      expect(await asking).toContain("<skill_context ");
      await client.close();
    }
  } finally {
    await events.body?.cancel();
  }
});
