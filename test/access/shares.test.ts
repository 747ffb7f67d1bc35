import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { Events } from "../http/event-stream.ts";
import { Server } from "../http/server.ts";
import { addTokens, bearer, makeTeamProject, type Role } from "./team.ts";

const folder = makeTeamProject();
const tokens = addTokens(folder);
const server = await Server.forFile(folder);

describe("a named token leaves room for the others", () => {
  const statusOf = ({ response }: Events): number => response.status;

  it("in the streams of events", async () => {
    const open = (role: Role): Promise<Events> => Events.open(server, bearer(tokens[role]));
    const streams = await Promise.all(Array.from({ length: 32 }, () => open("reader")));
    expect(streams.map(statusOf).filter((status) => status === 200)).toHaveLength(8);
    const others = [await Events.open(server), await open("owner"), await open("runner")];
    expect(others.map(statusOf)).toEqual([200, 200, 200]);
    await Promise.all([...streams, ...others].map((stream) => stream.close()));
    await expect
      .poll(async () => {
        const again = await open("reader");
        await again.close();
        return statusOf(again);
      })
      .toBe(200);
  });

  it("and is named by what it made", async () => {
    const asked = { skill: "file_fingerprint", inputs: [{ path: "b.md" }] };
    const made = async (role: Role): Promise<unknown> =>
      (await server.post("/api/run", asked, bearer(tokens[role]))).json();
    expect(await made("runner")).toMatchObject({ cached: false, made_by: `runner@${hostname()}` });
    // Who gets it from the cache sees whose it is.
    expect(await made("approver")).toMatchObject({ cached: true, made_by: `runner@${hostname()}` });
  });

  it("in the runs at once", async () => {
    const run = async (role: Role, body: object): Promise<number> => {
      const answer = await server.post("/api/run", body, bearer(tokens[role]));
      return answer.status;
    };
    const inputs = [{ path: "a.md" }];
    const refused: number[] = [];
    for (let text = 0; text < 16; text++)
      void run("runner", { skill: "waits", inputs, params: { text } }).then(
        (status) => refused.push(status),
        () => {}, // It ends with the server.
      );
    await expect.poll(() => refused).toEqual(Array(12).fill(503));
    expect(await run("approver", { skill: "file_fingerprint", inputs })).toBe(200);
  });
});
