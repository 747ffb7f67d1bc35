import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { endOf, Team, teamSkills } from "./team.ts";

/** A cable between a machine and the database that can be cut. */
class Cable implements AsyncDisposable {
  readonly #server = createServer((from) => this.#join(from));
  readonly #to: number;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  constructor(to: number) {
    this.#to = to;
  }

  async port(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return (this.#server.address() as { port: number }).port;
  }

  cut(): void {
    this.#isCut = true;
    // As a cable does: nothing arrives, and nobody says so.
    for (const socket of this.#sockets) socket.pause().unpipe();
  }

  heal(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.heal();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(from: Socket): void {
    if (this.#isCut) {
      from.destroy();
      return;
    }
    const to = connect(this.#to, "127.0.0.1");
    for (const socket of [from, to]) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        from.destroy();
        to.destroy();
      });
    }
    from.pipe(to).pipe(from);
  }
}

describe("a worker that is cut off from the database past its lease", () => {
  it("cannot record its late result; the run is another worker's, once", async () => {
    await using team = await Team.start();
    await using cable = new Cable(team.server.port);
    const port = await cable.port();
    const url = team.url.replace(`:${team.server.port}/`, `:${port}/`);
    const files = teamSkills();
    // The run takes less than its lease, and so long that a busy machine cuts the cable before it ends.
    const lease = { KNACK_RUN_LEASE_SECONDS: "10" };
    const far = team.machine({ ...files, "home/.knack/config.yaml": `store: { url: "${url}" }\n` }, lease);
    const near = team.machine(files, lease);
    for (const machine of [far, near]) machine.trust();
    await using cutOff = await far.worker();
    const run = endOf(
      near.start(["run", "says", "--param", "text=once", "--param", "ms=8000", "--queue", "--json"]),
    );
    const { id = "" } = await cutOff.until(({ event }) => event === "start");
    await using db = await team.db();
    await expect.poll(() => db.all("SELECT status FROM skill_runs")).toEqual([{ status: "RUNNING" }]);
    cable.cut();
    await using other = await near.worker();
    await other.until((line) => line.event === "start" && line.id === id);
    expect((await run).json()).toMatchObject({
      status: "SUCCEEDED",
      evidences: [{ data: { text: "once" } }],
    });
    cable.heal();
    // It comes back, and what it made in the dark is not recorded.
    await cutOff.until((line) => line.event === "end" && line.id === id);
    const rows = await db.all("SELECT status, error_code FROM skill_runs ORDER BY started_at");
    expect(rows).toEqual([
      { status: "FAILED", error_code: "SKILL_INTERRUPTED" },
      { status: "SUCCEEDED", error_code: null },
    ]);
    const { state, worker_id } = (await db.get("SELECT state, worker_id FROM queued_runs")) ?? {};
    expect({ state, worker_id }).toEqual({ state: "SUCCEEDED", worker_id: other.lines[0]?.worker });
    expect((await near.knack(["audit", "verify"])).code).toBe(0);
  });
});
