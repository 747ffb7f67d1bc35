import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { keepInput } from "./keep-input.ts";
import { materialise } from "./materialise.ts";
import { digestOf } from "./testing/contract.ts";
import { openFileScene } from "./testing/file-scene.ts";

describe("an input for another machine", () => {
  it.each([0, 1, 3_000_000])("of %d bytes arrives as it was", async (size) => {
    await using scene = await openFileScene();
    using folder = makeFolder();
    const bytes = Buffer.alloc(size, "abc");
    writeFileSync(folder.at("in.bin"), bytes);
    const kept = await keepInput(scene.contents, folder.at("in.bin"));
    expect(kept).toEqual(digestOf(bytes));
    mkdirSync(folder.at("worker"));
    await materialise(scene.other, kept, folder.at("worker/in.bin"));
    expect(readFileSync(folder.at("worker/in.bin")).equals(bytes)).toBe(true);
    expect(readdirSync(folder.at("worker"))).toEqual(["in.bin"]);
    await materialise(scene.other, kept, folder.at("worker/in.bin"));
  });

  it("replaces no other file, and follows no link", async () => {
    await using scene = await openFileScene();
    using folder = makeFolder({ "in.txt": "new", "mine.txt": "mine" });
    symlinkSync("mine.txt", folder.at("link.txt"));
    const kept = await keepInput(scene.contents, folder.at("in.txt"));
    for (const name of ["mine.txt", "link.txt"])
      await expect(materialise(scene.contents, kept, folder.at(name))).rejects.toThrow(
        "exists with other bytes",
      );
    expect(readFileSync(folder.at("mine.txt"), "utf8")).toBe("mine");
  });

  it("that is not stored, or stored with wrong bytes, leaves no file", async () => {
    await using scene = await openFileScene();
    using folder = makeFolder({ "in.txt": "x".repeat(3000) });
    const kept = await keepInput(scene.contents, folder.at("in.txt"));
    await scene.damage(kept.sha256);
    await expect(materialise(scene.contents, kept, folder.at("out.txt"))).rejects.toMatchObject({
      code: "CORRUPT",
    });
    await scene.contents.remove(kept.sha256);
    await expect(materialise(scene.contents, kept, folder.at("out.txt"))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(readdirSync(folder.path)).toEqual(["in.txt"]);
  });

  it("must be a regular file", async () => {
    await using scene = await openFileScene();
    using folder = makeFolder();
    await expect(keepInput(scene.contents, folder.path)).rejects.toThrow("is not a file");
  });
});
