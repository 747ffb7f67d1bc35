import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { begin, ping, project } from "./raw-requests.ts";
import { serveHttp } from "./ways.ts";

describe("a session is not authentication", () => {
  it("ends a session that is idle, and none whose stream is open", async () => {
    using folder = project();
    await using server = await serveHttp(folder, {}, { maxSessions: 10, idleMs: 1_500 });
    const idle = await begin(server);
    const { session } = await begin(server);
    const stop = new AbortController();
    const stream = await fetch(server.url, {
      headers: { accept: "text/event-stream", "mcp-session-id": session ?? "" },
      signal: stop.signal,
    });
    expect(stream.status).toBe(200);
    // A ping would keep it alive, so each session is asked only once.
    await delay(4_000);
    expect((await ping(server, idle.session)).status).toBe(404);
    expect((await ping(server, session)).status).toBe(200);
    stop.abort();
    await delay(4_000);
    expect((await ping(server, session)).status).toBe(404);
  });
});
