import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { begin, ping, post, project } from "./raw-requests.ts";
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

  it("serves a hundred sessions at once, each its own conversation", async () => {
    using folder = project();
    await using server = await serveHttp(folder);
    const loads = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const { session } = await begin(server);
        const load = { method: "tools/call", params: { name: "skill_load", arguments: { name: "good" } } };
        const header = { "mcp-session-id": session ?? "" };
        const first = await post(server, { id: 2, ...load }, header);
        const second = await post(server, { id: 3, ...load }, header);
        return [first, second].map(({ message: { result } }) =>
          JSON.stringify(result).includes("already loaded"),
        );
      }),
    );
    expect(loads).toEqual(Array(100).fill([false, true]));
  });
});
