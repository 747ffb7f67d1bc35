import { chmodSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { connectRoutes } from "../../packages/knack/src/http/routes/connect.ts";
import { environment, makeProject } from "../cli/run.ts";
import { type AnswerOf, Api } from "./api.ts";
import { Server } from "./server.ts";

const FILE = "home/.qwen/settings.json";
const TEXT = '{\n  // mine\n  "theme": "dark"\n}\n';

type Preview = AnswerOf<"GET /api/connect/{client}">;

const folder = makeProject({
  [FILE]: TEXT,
  "home/bin/codex": "#!/bin/sh\necho knack\n",
  "home/.codex/config.toml": "a = [",
});
chmodSync(folder.at("home/bin/codex"), 0o755);
const env = { KNACK_TRUST: "all", PATH: `${folder.at("home/bin")}:${environment(folder).PATH}` };
const server = await Server.forFile(folder, { env });
const api = await Api.of(server);

const path = (client: string, query = ""): string => `/api/connect/${client}${query}`;

describe("GET /api/connect", () => {
  it("lists the clients of this machine with their state and the command", async () => {
    const { data } = await api.get<AnswerOf<"GET /api/connect">>("/api/connect");
    expect(data.mcp).toBe(`${server.url}/mcp`);
    const of = (name: string) => data.clients.find(({ client }) => client === name);
    expect(of("qwen")).toMatchObject({
      ...{ installed: true, setup: false, file: "~/.qwen/settings.json", command: "knack setup qwen" },
    });
    expect(of("codex")).toMatchObject({
      ...{ installed: true, program: "~/bin/codex", setup: null, error: expect.any(String) },
    });
    // Every reader gets this answer.
    expect(JSON.stringify(data)).not.toContain(folder.at("home"));
    expect(of("zed")).toMatchObject({ installed: false, setup: false });
  });
});

describe("POST /api/connect/{client}", () => {
  const text = (): string => readFileSync(folder.at(FILE), "utf8");

  it("writes what was shown, and undoes it byte for byte", async () => {
    const { data: shown } = await api.get<Preview>(path("qwen"));
    expect(shown).toMatchObject({ changes: true, file: "~/.qwen/settings.json" });
    expect(shown.files.flatMap(({ diff }) => diff).join("\n")).toContain('+  "mcpServers": {');
    expect(text()).toBe(TEXT);
    const { data } = await api.post<object>(path("qwen"), { action: "set up", seen: shown.seen });
    expect(data).toMatchObject({
      changed: true,
      action: "set up",
      backup: expect.stringContaining("backup"),
    });
    expect(text()).toContain('"knack"');
    const { data: again } = await api.get<Preview>(path("qwen"));
    expect(again).toMatchObject({ changes: false, files: [] });
    const { data: undo } = await api.get<Preview>(path("qwen", "?action=remove"));
    const removed = await api.post(path("qwen"), { action: "remove", seen: undo.seen });
    expect(removed.data).toMatchObject({ changed: true, action: "removed" });
    expect(text()).toBe(TEXT);
    expect(existsSync(folder.at(`${FILE}.knack-backup`))).toBe(false);
  });

  it("writes nothing where the file is another than the one that was shown", async () => {
    const { data: shown } = await api.get<Preview>(path("qwen"));
    folder.write({ [FILE]: TEXT.replace("dark", "light") });
    const { status } = await api.post(path("qwen"), { action: "set up", seen: shown.seen });
    expect(status).toBe(409);
    expect(text()).toBe(TEXT.replace("dark", "light"));
  });

  it("refuses other clients, other actions, and a file that is broken", async () => {
    expect((await api.get(path("notepad"))).status).toBe(400);
    expect((await api.get(path("qwen", "?action=burn"))).status).toBe(400);
    expect((await api.post(path("qwen"), { action: "set up" })).status).toBe(400);
    const { status, data } = await api.get<{ error: { message: string } }>(path("codex"));
    expect([status, data.error.message]).toEqual([409, expect.stringContaining("Nothing was changed")]);
  });
});

api.heldTo(connectRoutes);
