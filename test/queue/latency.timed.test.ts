import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../packages/engine/src/open-engine.ts";
import { Team } from "./team.ts";

describe("an idle queue", () => {
  it("starts a run within 50 ms of its queueing, at the median", async () => {
    await using team = await Team.start();
    await using _server = team.server;
    const machine = team.machine();
    await using worker = await machine.worker();
    const projectRoot = machine.folder.at("repo");
    const engine = await openEngine({ projectRoot, registry: [], store: team.url });
    try {
      const took: number[] = [];
      for (let n = 0; n < 41; n++) {
        const path = machine.folder.at(`repo/${n}.txt`);
        writeFileSync(path, String(n));
        const queued = await engine.enqueue("file_fingerprint", { inputs: [{ path }] });
        const at = performance.now();
        const start = await worker.until(({ event, id }) => event === "start" && id === queued.queued?.id);
        took.push(start.at - at);
        await (await engine.queue()).follow(queued, new AbortController().signal);
      }
      const median = took.sort((a, b) => a - b)[20] ?? Number.POSITIVE_INFINITY;
      console.log(`queued to started: median ${median.toFixed(1)} ms, slowest ${took.at(-1)?.toFixed(1)} ms`);
      expect(median).toBeLessThan(50);
    } finally {
      await engine.close();
    }
  });
});
