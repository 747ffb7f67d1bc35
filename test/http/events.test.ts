import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { knack, makeProject, REPO } from "../cli/run.ts";
import { Events } from "./event-stream.ts";
import { InProcess } from "./in-process.ts";
import { Server } from "./server.ts";

const folder = makeProject({ "repo/a.md": "# A\n" });
const server = await Server.forFile(folder);

describe("interfaces HTTP: /api/events", () => {
  it("reports changed skills and log records, whichever process writes them", async () => {
    const events = await Events.open(server);
    expect(events.response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const [first] = await events.until(({ event }) => event === "catalog");
    expect(first?.data).toMatchObject({ snapshot_version: 1, skills: 2 });
    folder.write({ [`${REPO}/later/SKILL.md`]: skillText("later") });
    const next = await events.until(({ data }) => data.skills === 3);
    expect(next.at(-1)).toMatchObject({ event: "catalog" });
    expect(knack(folder, ["run", "file_fingerprint", "--input", "a.md"]).code).toBe(0);
    const told = await events.until(
      ({ data }) => data.event_type === "EVIDENCE_ADDED" || data.event_type === "SKILL_RUN",
    );
    expect(told.at(-1)).toMatchObject({ event: "log", data: { actor: "cli" } });
    await events.close();
  });

  it("goes on after Last-Event-ID, without a loss and without a repetition", async () => {
    const events = await Events.open(server, { "Last-Event-ID": "0-none" });
    const all = await events.until(({ event }) => event === "log");
    const { id = "" } = all.at(-1) ?? {};
    await events.close();
    expect(knack(folder, ["search", "good"]).code).toBe(0);
    const again = await Events.open(server, { "Last-Event-ID": id });
    const rest = await again.until(({ data }) => data.event_type === "SKILL_SEARCHED");
    const seqs = rest.filter(({ event }) => event === "log").map(({ data }) => Number(data.seq));
    expect(seqs).toEqual(seqs.map((_, place) => Number(id.split("-")[0]) + 1 + place));
    expect(rest.every(({ event }) => event === "log")).toBe(true);
    await again.close();
    for (const wrong of ["x", "-1", "1-", "9".repeat(30), "99999999-zz"]) {
      const stream = await Events.open(server, { "Last-Event-ID": wrong });
      await stream.until(({ event }) => event === "catalog");
      await stream.close();
    }
  });

  it("takes only so many streams, and room is made when one ends", async () => {
    const streams = await Promise.all(Array.from({ length: 32 }, () => Events.open(server)));
    expect(new Set(streams.map(({ response }) => response.status))).toEqual(new Set([200]));
    const refused = await server.get("/api/events");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await server.get("/api/status")).status).toBe(200);
    await Promise.all(streams.map((stream) => stream.close()));
    await expect
      .poll(async () => {
        const next = await Events.open(server);
        await next.close();
        return next.response.status;
      })
      .toBe(200);
  });

  it("is no answer for who wants JSON", async () => {
    expect((await server.get("/api/events", { Accept: "application/json" })).status).toBe(406);
  });

  it("shows that it is still there, and outlives the limits of requests", async () => {
    await using quick = await InProcess.start(folder, {
      heartbeatMs: 100,
      headersMs: 200,
      requestMs: 300,
      keepAliveMs: 100,
    });
    const socket = await quick.connect();
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.write(
      `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${quick.port}\r\nAuthorization: ${quick.bearer.Authorization}\r\n\r\n`,
    );
    await expect.poll(() => text.match(/: still here/g)?.length).toBeGreaterThan(10);
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });
});
