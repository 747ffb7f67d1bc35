import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../testing/files.ts";
import { ownHolder } from "./holder.ts";
import { withLock } from "./lock.ts";

const HOLD = join(import.meta.dirname, "testing", "hold-lock.ts");
const FUTURE = new Date(Date.now() + 365 * 24 * 60 * 60 * 1000);

/** A lock as a process leaves it that was killed while it held it. */
async function leaveLock(file: string): Promise<void> {
  const child = spawn(process.execPath, [HOLD, file], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("quality: a lock waits for a living holder, for nothing else, and never for ever", () => {
  it("takes a lock over whose process was killed, at once, whatever time it bears", async () => {
    using folder = makeFolder();
    for (const [name, time] of [
      ["past", new Date(0)],
      ["future", FUTURE],
      ["now", undefined],
    ] as const) {
      const file = folder.at(name);
      await leaveLock(file);
      if (time) utimesSync(`${file}.lock`, time, time);
      const started = performance.now();
      expect(await withLock(file, () => "done")).toBe("done");
      expect(performance.now() - started).toBeLessThan(1_500);
    }
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("names what is no lock of Knack's and what to do: dangling link, link, folder, pipe, garbage", async () => {
    using folder = makeFolder({ "target/": "" });
    const lock = (name: string): string => folder.at(`${name}.lock`);
    symlinkSync("nowhere", lock("dangling"));
    symlinkSync("target", lock("link"));
    symlinkSync("loop.lock", lock("loop"));
    mkdirSync(lock("folder"));
    utimesSync(lock("folder"), FUTURE, FUTURE);
    spawnSync("mkfifo", [lock("pipe")]);
    for (const [name, text] of [
      ["garbage", "\0\xff garbage"],
      ["empty", ""],
      ["huge", "x".repeat(100_000)],
    ] as const) {
      writeFileSync(lock(name), text);
      utimesSync(lock(name), FUTURE, FUTURE);
    }
    for (const name of ["dangling", "link", "loop", "folder", "pipe", "garbage", "empty", "huge"]) {
      const started = performance.now();
      const refused = withLock(folder.at(name), () => "done");
      await expect(refused, name).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(refused).rejects.toThrow(`${lock(name)} `);
      await expect(refused).rejects.toThrow("Remove it, then try again");
      expect([name, performance.now() - started < 6_000]).toEqual([name, true]);
    }
    expect(existsSync(folder.at("nowhere"))).toBe(false);
    expect(readdirSync(folder.at("target"))).toEqual([]);
  });

  it("tells after a second that it waits, and after ten who holds it; the process stays awake", async () => {
    using folder = makeFolder();
    const file = folder.at("f");
    writeFileSync(`${file}.lock`, JSON.stringify(ownHolder()));
    let turns = 0;
    const timer = setInterval(() => turns++, 20);
    const said: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = (text: string | Uint8Array) => said.push(String(text)) > 0;
    try {
      await expect(withLock(file, () => "done")).rejects.toThrow(`is held by process ${process.pid}`);
    } finally {
      process.stderr.write = write;
      clearInterval(timer);
    }
    expect(said).toEqual([`note: Waiting for ${file}.lock …\n`]);
    expect(turns).toBeGreaterThan(50);
  });

  it("loses none of many changes by many processes, some of which are killed", async () => {
    using folder = makeFolder({ count: "0" });
    const file = folder.at("count");
    const add = join(import.meta.dirname, "testing", "count-up.ts");
    const killed = Array.from({ length: 3 }, () => leaveLock(file));
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [add, file, "40"], { stdio: "inherit" }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    await Promise.all(killed);
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(readFileSync(file, "utf8")).toBe("160");
  });
});
