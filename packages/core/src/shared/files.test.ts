import { statSync, utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../testing/files.ts";
import { isOlderThanTick, StampCache } from "./file-stamp.ts";
import { type FileContent, type FileFault, readRegularFile } from "./regular-file.ts";

function bytesOf(content: FileContent | FileFault): Buffer {
  if ("fault" in content) throw new Error(content.fault);
  return content.bytes;
}

describe("reads of regular files", () => {
  it("do not share bytes: what was read stays as it was", () => {
    using folder = makeFolder({ a: "first", b: "other", large: "x".repeat(5_000) });
    const first = bytesOf(readRegularFile(folder.at("a"), 10, false));
    const second = bytesOf(readRegularFile(folder.at("b"), 10, false));
    bytesOf(readRegularFile(folder.at("large"), 10_000, false));
    expect([first.toString(), second.toString()]).toEqual(["first", "other"]);
    second.fill(0);
    expect(first.toString()).toBe("first");
    expect(bytesOf(readRegularFile(folder.at("b"), 10, false)).toString()).toBe("other");
  });

  it("are refused beyond the limit, also after a larger limit was used", () => {
    using folder = makeFolder({ a: "12345", b: "1" });
    expect(bytesOf(readRegularFile(folder.at("a"), 5, false)).toString()).toBe("12345");
    expect(readRegularFile(folder.at("a"), 4, false)).toMatchObject({ fault: "TOO_LARGE", detail: "5" });
    expect(bytesOf(readRegularFile(folder.at("b"), 4, false)).toString()).toBe("1");
  });
});

describe("what is kept of a file", () => {
  it("is read again while the file is so fresh that its next change could have the same stamp", () => {
    using folder = makeFolder({ file: "text" });
    const file = folder.at("file");
    // However slow the machine is, this time stamp is not in the past.
    const tomorrow = new Date(Date.now() + 86_400_000);
    utimesSync(file, tomorrow, tomorrow);
    const cache = new StampCache<number>();
    let reads = 0;
    const read = (): number => cache.get(file, () => ++reads);
    expect([read(), read(), read()]).toEqual([1, 2, 3]);
  });

  it("is read once as soon as it is older than a tick, and again for another dependency", async () => {
    using folder = makeFolder({ file: "text" });
    const file = folder.at("file");
    const isOld = (): boolean => isOlderThanTick(0, statSync(file).ctimeMs, Date.now());
    const past = new Date(1_000_000_000_500);
    utimesSync(file, past, past);
    await expect.poll(isOld).toBe(true);
    const cache = new StampCache<number>();
    let reads = 0;
    const read = (dependsOn = ""): number => cache.get(file, () => ++reads, dependsOn);
    expect([read(), read(), read("other"), read("other")]).toEqual([1, 1, 2, 2]);
  });
});
