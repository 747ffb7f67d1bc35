import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../testing/files.ts";
import { DETACH, DONE, isGone, run } from "./testing/run-program.ts";

describe("a runner that ends by itself", () => {
  it("may print bytes that are no text, a line without end, and a great deal of it", async () => {
    const binary = await run("process.stdout.write(Buffer.from([0, 255, 254, 128, 10]))");
    expect([...binary.stdout]).toEqual([0, 255, 254, 128, 10]);
    let count = 0;
    const before = process.memoryUsage().rss;
    const { result } = await run(
      'const b = Buffer.alloc(1 << 20, 120); let n = 0; (function more() { while (n < 200) { n++; if (!process.stdout.write(b)) return process.stdout.once("drain", more); } })()',
      {
        onOutput: (_stream, bytes) => {
          count += bytes.length;
        },
      },
    );
    expect({ result, count }).toEqual({ result: DONE, count: 200 << 20 });
    expect(process.memoryUsage().rss - before).toBeLessThan(150 << 20);
  });
});

describe("a runner that does not end", () => {
  it("is killed where it ignores SIGTERM, with all that it detached", async () => {
    using folder = makeFolder();
    const program = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); ${DETACH(folder.at("pid"))}`;
    const { result } = await run(program, { timeoutMs: 600 });
    expect(result).toEqual({ exit_code: null, signal: "SIGKILL", timed_out: true });
    expect(await isGone(folder.at("pid"))).toBe(true);
  });

  it("is ended when it is cancelled, and leaves no process behind", async () => {
    using folder = makeFolder();
    const controller = new AbortController();
    const program = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); require("node:fs").writeFileSync(${JSON.stringify(folder.at("own"))}, String(process.pid)); ${DETACH(folder.at("pid"))}`;
    const running = run(program, { signal: controller.signal });
    const ended = expect(running).rejects.toThrow("enough");
    for (let tries = 0; tries < 200 && !existsSync(folder.at("pid")); tries++) await wait(20);
    controller.abort(new Error("enough"));
    await ended;
    expect(await isGone(folder.at("own"))).toBe(true);
    expect(await isGone(folder.at("pid"))).toBe(true);
  });
});
