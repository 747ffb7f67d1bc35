import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../testing/files.ts";
import { knownStore, rememberStore } from "./known-stores.ts";

const HOLDER = join(import.meta.dirname, "../shared/own/testing/hold-lock.ts");

describe("a database that is remembered while another process holds the lock", () => {
  it("waits without blocking this process", async () => {
    using folder = makeFolder({ "home/.knack/": "" });
    const place = { env: {}, home: folder.at("home") };
    const holder = spawn(process.execPath, [HOLDER, folder.at("home/.knack/stores.json")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    const store = { path: folder.at("state.db"), id: "1", isPrivate: true };
    let isDone = false;
    const remembered = rememberStore(place, () => store).then(() => {
      isDone = true;
    });
    let turns = 0;
    for (const until = performance.now() + 300; performance.now() < until; turns++)
      await new Promise((next) => setTimeout(next, 5));
    expect(isDone).toBe(false);
    expect(turns).toBeGreaterThan(5);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await remembered;
    expect(knownStore(store.path, place)).toEqual(store);
  });
});
