import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeProject } from "../cli/run.ts";
import { open } from "../mcp/ways.ts";
import type { AnswerOf } from "./api.ts";
import { Events } from "./event-stream.ts";
import { Server } from "./server.ts";

type Clients = AnswerOf<"GET /api/clients">;

it("shows the clients of knack mcp while their process lives, and forgets those of a process that was killed", async () => {
  using folder = makeProject();
  await using server = await Server.start(folder);
  const events = await Events.open(server);
  const list = async () => (await server.json<Clients>("/api/clients")).clients;
  const way = { transport: "stdio", revision: "2025-11-25" } as const;
  const opened = await open(folder, way);
  await opened.client.callTool({ name: "skill_search", arguments: { query: "good" } });
  await expect.poll(list).toMatchObject([{ name: "test-client", transport: "stdio", calls: 1 }]);
  await events.until(({ event, data }) => event === "clients" && Number(data.version) > 0);
  await opened[Symbol.asyncDispose]();
  await expect.poll(list).toEqual([]);

  const killed = await open(folder, way);
  await expect.poll(async () => (await list()).length).toBe(1);
  const { pid } = killed.client.transport as unknown as { readonly pid: number };
  process.kill(pid, "SIGKILL");
  await expect.poll(list).toEqual([]);
  const folders = folder.at("home/.knack/clients");
  expect(readdirSync(folders).flatMap((name) => readdirSync(join(folders, name)))).toEqual([]);
  await killed[Symbol.asyncDispose]();
  await events.close();
});

it("takes nothing from files that others put there", async () => {
  using folder = makeProject();
  await using server = await Server.start(folder);
  const opened = await open(folder, { transport: "stdio", revision: "2025-11-25" });
  const list = async () => (await server.json<Clients>("/api/clients")).clients;
  await expect.poll(async () => (await list()).length).toBe(1);
  const [name = ""] = readdirSync(folder.at("home/.knack/clients"));
  const at = `home/.knack/clients/${name}`;
  folder.write({
    [`${at}/1-broken.json`]: "{",
    [`${at}/2-other.json`]: '{"clients": 7}',
    [`${at}/3-large.json`]: "x".repeat(100_000),
    [`${at}/notes.txt`]: "mine",
  });
  expect((await list()).map((one) => one.name)).toEqual(["test-client"]);
  await opened[Symbol.asyncDispose]();
});

it("lets a person at the page answer what a client of knack mcp cannot ask", async () => {
  using folder = makeProject({ "home/.knack/config.yaml": "permissions: { default: confirm }\n" });
  await using server = await Server.start(folder);
  await using opened = await open(folder, { transport: "stdio", revision: "2025-11-25" });
  const load = async (): Promise<string> => {
    const { content } = await opened.client.callTool({ name: "skill_load", arguments: { name: "good" } });
    return (content as { text: string }[])[0]?.text ?? "";
  };
  expect(await load()).toContain("nobody can be asked here");
  const page = await Events.open(server, {}, "?answers=true");
  await page.until(({ event }) => event === "questions");
  for (const [answer, words] of [
    ["deny", "The user refused"],
    ["allow", "<skill_context"],
  ]) {
    const loaded = load();
    await page.until(({ event, data }) => event === "questions" && data.version !== 0);
    const list = async () => (await server.json<AnswerOf<"GET /api/questions">>("/api/questions")).questions;
    await expect.poll(list).toMatchObject([{ client: "test-client", skill: "good" }]);
    const [question] = await list();
    expect((await server.post(`/api/questions/${question?.id}`, { answer })).status).toBe(200);
    expect(await loaded).toContain(words);
    await expect.poll(list).toEqual([]);
  }
  await page.close();
  const files = folder.at("home/.knack/clients");
  const isOpen = (): boolean =>
    readdirSync(files, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".json"))
      .some((name) => readFileSync(join(files, name), "utf8").includes('"answers":true'));
  await expect.poll(isOpen).toBe(false);
  expect(await load()).toContain("nobody can be asked here");
});
