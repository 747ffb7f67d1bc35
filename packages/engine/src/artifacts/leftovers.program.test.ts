import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { Leftovers, machine, ownName, RUN_FOLDER } from "./temporary.ts";

const { pid: dead } = spawnSync(process.execPath, ["-e", "0"]);
const THREE_DAYS_AGO = Date.now() / 1000 - 3 * 24 * 60 * 60;

describe("what a killed process left", () => {
  it("is removed, with what is in it; that of a living process, and every other name, stays", async () => {
    const kept = [ownName("x-"), `y-${machine()}-${dead}-1`, `x-${machine()}-abc`, "x-", "x-mine"];
    using folder = makeFolder({
      [`x-${machine()}-${dead}-1/inputs/a.txt`]: "a",
      [`x-${machine()}-${dead}-2`]: "a",
      ...Object.fromEntries(kept.map((name) => [name, "kept"])),
    });
    await new Leftovers().sweepOnce(folder.path, "x-");
    expect(readdirSync(folder.path).sort()).toEqual(kept.sort());
  });

  it("stays for two days where process numbers mean something else, as in another container", async () => {
    using folder = makeFolder({ [`x-00000000-${dead}-1`]: "new", [`x-00000000-${process.pid}-2`]: "old" });
    utimesSync(folder.at(`x-00000000-${process.pid}-2`), THREE_DAYS_AGO, THREE_DAYS_AGO);
    await new Leftovers().sweepOnce(folder.path, "x-");
    expect(readdirSync(folder.path)).toEqual([`x-00000000-${dead}-1`]);
  });

  it("is never reached through a link", async () => {
    const name = `x-${machine()}-${dead}-1`;
    using folder = makeFolder({ "outside/a.txt": "a", [`inside/${name}`]: { link: "../outside" } });
    await new Leftovers().sweepOnce(folder.at("inside"), "x-");
    expect(readdirSync(folder.at("inside"))).toEqual([]);
    expect(existsSync(folder.at("outside/a.txt"))).toBe(true);
  });

  it.runIf(process.platform === "linux")(
    "ends sandboxes of processes that are gone, and no other",
    async () => {
      const sandbox = (owner: number) => {
        const folder = `/tmp/${RUN_FOLDER}${machine()}-${owner}-1/artifacts`;
        const words = ["-e", "setInterval(() => {}, 1e6)", "--", "--bind", folder, folder];
        return spawn(process.execPath, words, { argv0: "/usr/bin/bwrap", stdio: "ignore" });
      };
      const [left, used] = [sandbox(dead ?? 0), sandbox(process.pid)];
      const [ended] = await Promise.all([once(left, "exit"), new Leftovers().endSandboxesOnce()]);
      expect(ended).toEqual([null, "SIGKILL"]);
      expect(used.exitCode ?? used.signalCode).toBeNull();
      used.kill("SIGKILL");
      await once(used, "exit");
    },
  );

  it("is looked for once in each folder, and a folder that is not there is no fault", async () => {
    using folder = makeFolder();
    const leftovers = new Leftovers();
    await leftovers.sweepOnce(folder.at("none"), "x-");
    await leftovers.sweepOnce(folder.path, "x-");
    folder.write({ [`x-${machine()}-${dead}-1`]: "a" });
    await leftovers.sweepOnce(folder.path, "x-");
    expect(readdirSync(folder.path)).toHaveLength(1);
  });
});
