import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../testing/files.ts";
import { lockFile, withLock } from "./lock.ts";

const HOLD = join(import.meta.dirname, "testing", "hold-lock.ts");

/** A process that holds the lock of a file until it is killed. */
async function hold(userFolder: string, file: string) {
  const child = spawn(process.execPath, [HOLD, userFolder, file], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const kill = async () => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    child.kill("SIGKILL");
    if (isRunning) await once(child, "exit");
  };
  return { kill, [Symbol.asyncDispose]: kill };
}

describe("quality: a lock waits for a living holder, for nothing else, and never for ever", () => {
  it("is free as soon as its holder is killed, and leaves an empty file", async () => {
    using folder = makeFolder();
    await using holder = await hold(folder.path, "f");
    await expect(withLock(folder.path, "f", () => "done", 50)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await withLock(folder.path, "another file", () => "done", 0)).toBe("done");
    await holder.kill();
    expect(await withLock(folder.path, "f", () => "done", 0)).toBe("done");
    expect(statSync(lockFile(folder.path, "f")).size).toBe(0);
  });

  it("gives the lock back where the change fails, at once or later", async () => {
    using folder = makeFolder();
    const fail = () => {
      throw new Error("no");
    };
    await expect(withLock(folder.path, "f", fail)).rejects.toThrow("no");
    await expect(withLock(folder.path, "f", async () => fail())).rejects.toThrow("no");
    expect(await withLock(folder.path, "f", async () => 1, 0)).toBe(1);
  });

  it("keeps two changes of one process apart", async () => {
    using folder = makeFolder();
    const order: string[] = [];
    const change = (name: string) =>
      withLock(folder.path, "f", async () => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push(`${name} ends`);
      });
    await Promise.all([change("a"), change("b")]);
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });

  it("names what is no lock of Knack's and what to do: dangling link, link, folder, pipe, garbage", async () => {
    using folder = makeFolder({ "target/": "" });
    const lock = (name: string): string => lockFile(folder.path, name);
    mkdirSync(dirname(lock("")));
    symlinkSync("nowhere", lock("dangling"));
    symlinkSync(folder.at("target"), lock("link"));
    mkdirSync(lock("folder"));
    spawnSync("mkfifo", [lock("pipe")]);
    writeFileSync(lock("garbage"), "garbage ".repeat(100));
    for (const name of ["dangling", "link", "folder", "pipe", "garbage"]) {
      const refused = withLock(folder.path, name, () => "done");
      await expect(refused, name).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(refused).rejects.toThrow(`${lock(name)} `);
      await expect(refused).rejects.toThrow("Remove it, then try again");
    }
  });

  it.skipIf(process.getuid?.() === 0)("says why a folder cannot be written", async () => {
    using folder = makeFolder({ "user/": "" });
    chmodSync(folder.at("user"), 0o500);
    await expect(withLock(folder.at("user"), "f", () => 1)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("tells after a second that it waits, and at its limit what is in the way; the process stays awake", async () => {
    using folder = makeFolder();
    await using _holder = await hold(folder.path, "f");
    let turns = 0;
    const timer = setInterval(() => turns++, 20);
    const said: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = (text: string | Uint8Array) => said.push(String(text)) > 0;
    try {
      await expect(withLock(folder.path, "f", () => "done", 1_500)).rejects.toThrow(/Another process.* f /);
    } finally {
      process.stderr.write = write;
      clearInterval(timer);
    }
    expect(said).toEqual(["note: Waiting to change f …\n"]);
    expect(turns).toBeGreaterThan(1);
  });

  it("loses none of many changes by many processes, some of which are killed", async () => {
    using folder = makeFolder({ count: "0" });
    const file = folder.at("count");
    const add = join(import.meta.dirname, "testing", "count-up.ts");
    const killed = Array.from({ length: 2 }, async () => (await hold(folder.path, file)).kill());
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [add, folder.path, file, "40"], { stdio: "inherit" }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    await Promise.all(killed);
    expect(codes).toEqual([0, 0, 0]);
    expect(readFileSync(file, "utf8")).toBe("120");
  });
});
