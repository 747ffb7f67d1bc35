import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { REPO } from "../cli/run.ts";
import { makeTypedProject, PUBLISH } from "../cli/typed-skills.ts";
import type { AnswerOf } from "../http/api.ts";
import { Events } from "../http/event-stream.ts";
import { callText, connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { addTokens, bearer, ROLES } from "./team.ts";

const CONFIG = "home/.knack/config.yaml";
/** A skill is asked about; a confirmation is asked for where the run itself is allowed. */
const RULES = "permissions: { default: confirm, allow: [{ tool: publish }] }\n";
type Questions = AnswerOf<"GET /api/questions">;

const folder = makeTypedProject({
  ...PUBLISH,
  [`${REPO}/good/SKILL.md`]: skillText("good", "Does good."),
  [CONFIG]: RULES,
});
const tokens = addTokens(folder);
const server = await Server.forFile(folder);

/** The client of a token that says yes and "always" to everything, and how often it is asked. */
async function eager(headers: { readonly Authorization: string }, revision = "2025-11-25") {
  const asked: string[] = [];
  const client = await connectClient(server, {
    revision,
    headers,
    elicit: ({ message }) => {
      asked.push(message);
      return { action: "accept", content: { remember: true } };
    },
  });
  return {
    asked,
    load: () => callText(client, "skill_load", { name: "good", force: true }),
    publish: () => callText(client, "publish", { inputs: [{ role: "report", path: "a.md" }] }),
    close: () => client.close(),
  };
}

/** A page that shows questions to whoever has the token. */
const openPage = (token: string): Promise<Events> => Events.open(server, bearer(token), "?answers=true");

const answer = async (id: string, token: string): Promise<number> =>
  (await server.post(`/api/questions/${id}`, { answer: "allow" }, bearer(token))).status;

const NOBODY = /nobody can be asked here/;

describe.each(["2025-11-25", "2026-07-28"])(
  "promise 18: nobody answers their own question, revision %s",
  (revision) => {
    it.each(ROLES)("the client of a token with the role %s is not asked", async (role) => {
      const client = await eager(bearer(tokens[role]), revision);
      expect(await client.load()).toMatch(NOBODY);
      if (role !== "reader") expect(await client.publish()).toMatch(NOBODY);
      expect(client.asked).toEqual([]);
      expect(readFileSync(folder.at(CONFIG), "utf8")).toBe(RULES);
      await client.close();
    });

    it("the client with the user's own token asks its user", async () => {
      const client = await eager(server.bearer, revision);
      expect(await client.publish()).toContain("publish succeeded");
      expect(client.asked).toEqual([expect.stringContaining("Do you confirm it?")]);
      await client.close();
    });
  },
);

describe("promise 18: on the page", () => {
  it.each(["approver", "owner"] as const)("the page of the %s who asks is nobody to ask", async (role) => {
    const page = await openPage(tokens[role]);
    const client = await eager(bearer(tokens[role]));
    expect(await client.load()).toMatch(NOBODY);
    await client.close();
    await page.close();
  });

  it.each([
    ["runner", "approver"],
    ["approver", "owner"],
    ["owner", "approver"],
    ["approver", "user"],
    ["owner", "user"],
  ] as const)(
    "what the client of the %s asks is not theirs to answer; the %s answers",
    async (asker, other) => {
      const token = other === "user" ? server.token : tokens[other];
      const page = await openPage(token);
      const client = await eager(bearer(tokens[asker]));
      for (const ask of [client.load, client.publish]) {
        const asking = ask();
        const open = async () => (await server.json<Questions>("/api/questions")).questions;
        await expect.poll(open).toHaveLength(1);
        const [{ id } = { id: "" }] = await open();
        expect(await answer(id, tokens[asker])).toBe(403);
        expect(await answer(id, tokens.reader)).toBe(403);
        expect(await answer(id, token)).toBe(200);
        expect(await asking).toMatch(/<skill_context |publish succeeded/);
      }
      expect(client.asked).toEqual([]);
      await client.close();
      await page.close();
    },
  );
});
