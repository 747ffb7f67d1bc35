import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { checkDatabase } from "./testing/crash-cycles.ts";
import { type FillReport, fillUp } from "./testing/fill-up.ts";
import { smallDisk } from "./testing/small-disk.ts";
import type { StoreName } from "./testing/wrong-stores.ts";

/** On a real small file system if one can be mounted, otherwise with a limit on the file's pages. */
async function onSmallDisk(name: StoreName): Promise<FillReport & { readonly problems: string[] }> {
  using folder = makeFolder({ "disk/": "" });
  using disk = smallDisk(folder.at("disk"));
  const report = await fillUp(folder.at("disk", "state.db"), name, disk);
  const { problems } = await checkDatabase(
    folder.at("disk", "state.db"),
    report.reported,
    undefined,
    "this process",
  );
  return { ...report, problems };
}

describe("a full disk", () => {
  it("is reported as DISK_FULL, loses nothing that was reported, and ends once there is space", async () => {
    const { failures, after, reported, problems } = await onSmallDisk("right");
    expect(failures.length).toBeGreaterThan(0);
    for (const error of failures) {
      expect(error).toMatchObject({ name: "KnackError", code: "DISK_FULL" });
      expect((error as Error).message).toMatch(/state\.db: the disk is full.*Free some space/);
    }
    expect(reported.length).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    expect(after).toBe("recorded");
  });

  it("would find a store that answers first and commits then", async () => {
    const { problems } = await onSmallDisk("acknowledge-early");
    expect(problems.join("\n")).toMatch(/was reported and is lost/);
  });
});
