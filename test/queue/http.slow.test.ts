import { describe, expect, it } from "vitest";
import type { QueueEntry, QueueReport } from "../../packages/engine/src/queue/list-queue.ts";
import { Api } from "../http/api.ts";
import { Server } from "../http/server.ts";
import { Team } from "./team.ts";

type Answer = QueueReport & {
  readonly ended: readonly QueueEntry[];
  readonly throughput: readonly { readonly ended: number }[];
};

describe("/api/queue", () => {
  it("shows the queue with the throughput of the last hour, cancels and retries", async () => {
    await using team = await Team.start();
    const machine = team.machine();
    const id = await machine.enqueue("file_fingerprint", "a.txt");
    await using server = await Server.start(machine.folder);
    const api = await Api.of(server);
    const before = (await api.get<Answer>("/api/queue")).data;
    expect(before.waiting).toMatchObject([{ id, state: "WAITING" }]);
    expect(before.throughput).toHaveLength(60);
    const at = (action: string): string => `/api/queue/${id}/${action}`;
    const cancelled = await api.post<QueueEntry>(at("cancel"), {});
    expect(cancelled.data).toMatchObject({ id, state: "CANCELLED" });
    expect((await api.post(at("cancel"), {})).status).toBe(409);
    expect((await api.post<QueueEntry>(at("retry"), {})).data.state).toBe("WAITING");
    expect((await api.post("/api/queue/none/retry", {})).status).toBe(404);
    await using _worker = await machine.worker();
    await expect
      .poll(async () =>
        (await api.get<Answer>("/api/queue")).data.throughput.some(({ ended }) => ended === 1),
      )
      .toBe(true);
    const after = (await api.get<Answer>("/api/queue")).data;
    expect(after.workers).toMatchObject([{ gone: false, concurrency: 4 }]);
    expect(after.workers[0]?.skills).toContain("file_fingerprint");
    expect(after.ended).toMatchObject([{ id, state: "SUCCEEDED" }]);
  });

  it("shows one run in any state, and queues all dead ones again", async () => {
    await using team = await Team.start();
    const machine = team.trusting();
    await using server = await Server.start(machine.folder);
    const api = await Api.of(server);
    const id = await machine.enqueue("fails");
    const find = async () => (await api.get<QueueEntry>(`/api/queue/${id}`)).data;
    expect(await find()).toMatchObject({
      state: "WAITING",
      error: 'No worker is running. Start one: "knack worker".',
    });
    expect((await api.post("/api/queue/retry", {})).data).toEqual({ retried: 0 });
    {
      await using _worker = await machine.worker();
      await expect.poll(async () => (await find()).state).toBe("DEAD");
    }
    expect(await find()).toMatchObject({ error: "E_NO: It always fails.", attempts: 3 });
    expect((await api.post("/api/queue/retry", {})).data).toEqual({ retried: 1 });
    expect(await find()).toMatchObject({ state: "WAITING", attempts: 0 });
    expect((await api.get("/api/queue/none")).status).toBe(404);
  });

  it("says that it needs PostgreSQL", async () => {
    await using team = await Team.start();
    const machine = team.machine({ "home/.knack/config.yaml": "" });
    await using server = await Server.start(machine.folder);
    const api = await Api.of(server);
    expect(await api.get("/api/queue")).toMatchObject({
      status: 400,
      data: { error: { code: "INVALID_PARAM" } },
    });
  });
});
