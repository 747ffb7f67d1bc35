import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { openContents } from "./open-contents.ts";
import { allOf, bytesOf, describeContents, digestOf, pieces } from "./testing/contract.ts";
import { openFileScene } from "./testing/file-scene.ts";
import { inParts } from "./verified.ts";

describeContents("a shared folder", () => openFileScene());

const BYTES = Buffer.from("some bytes");
const DIGEST = digestOf(BYTES);

describe("contents in a shared folder", () => {
  it("are files by their digest, in a folder of the store, with nothing beside them", async () => {
    await using scene = await openFileScene();
    await scene.contents.put(DIGEST, () => pieces(BYTES));
    const file = await scene.pathOf(DIGEST.sha256);
    expect(readdirSync(dirname(file))).toEqual([DIGEST.sha256.slice(2)]);
    expect(readdirSync(scene.folder)).toHaveLength(1);
  });

  it("follow no link: neither of a content nor of a folder", async () => {
    await using scene = await openFileScene();
    using outside = makeFolder({ secret: BYTES.toString() });
    const file = await scene.pathOf(DIGEST.sha256);
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(outside.at("secret"), file);
    expect(await scene.contents.open(DIGEST.sha256)).toBeNull();
    await scene.contents.put(DIGEST, () => pieces(BYTES));
    expect((await bytesOf(scene.contents, DIGEST.sha256))?.equals(BYTES)).toBe(true);
    rmSync(dirname(file), { recursive: true });
    symlinkSync(outside.path, dirname(file));
    await expect(scene.contents.put(DIGEST, () => pieces(BYTES))).rejects.toThrow("is a link");
    expect(readdirSync(outside.path)).toEqual(["secret"]);
  });

  it("say what to do where the folder does not exist, and do not make it", async () => {
    await using scene = await openFileScene();
    rmSync(scene.folder, { recursive: true });
    await expect(scene.contents.put(DIGEST, () => pieces(BYTES))).rejects.toThrow(
      "Create or mount the folder",
    );
    expect(readdirSync(dirname(scene.folder))).not.toContain("shared");
  });

  it("of another store in the same folder are not listed, and so never removed", async () => {
    await using scene = await openFileScene();
    await scene.contents.put(DIGEST, () => pieces(BYTES));
    await using stranger = await openFileScene();
    const theirs = await openContents(scene.url, stranger.store);
    expect(await allOf(theirs!.list())).toEqual([]);
    expect(await theirs?.has(DIGEST.sha256)).toBe(false);
  });

  it("ignore files that are not theirs", async () => {
    await using scene = await openFileScene();
    const file = await scene.pathOf(DIGEST.sha256);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(join(dirname(file), "README"), "hello");
    writeFileSync(join(dirname(dirname(file)), "notes.txt"), "hello");
    mkdirSync(file);
    expect(await allOf(scene.contents.list())).toEqual([]);
    expect(await scene.contents.has(DIGEST.sha256)).toBe(false);
  });
});

describe("artifacts.url", () => {
  it("null with SQLite is nothing, so that artifacts are local files alone", async () => {
    await using scene = await openFileScene();
    expect(await openContents(null, scene.store)).toBeNull();
  });

  it.each([
    ["postgres", "needs a store in PostgreSQL"],
    ["ftp://x/y", "is not supported"],
    ["file://host/x", "write file:///absolute/path"],
  ])("%s with SQLite is an error of the configuration", async (url, message) => {
    await using scene = await openFileScene();
    await expect(openContents(url, scene.store)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(message),
    });
  });
});

describe("parts of a stream", () => {
  it.each([0, 1, 9, 10, 11, 20, 25])("hold all of %d bytes, in parts of 10", async (size) => {
    const bytes = Buffer.from(Array.from({ length: size }, (_, i) => i));
    for (const piece of [1, 3, 10, 100]) {
      const parts: Buffer[] = [];
      for await (const part of inParts(pieces(bytes, piece), 10)) parts.push(Buffer.from(part));
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
      expect(parts.slice(0, -1).every((part) => part.length === 10)).toBe(true);
      expect(parts.every((part) => part.length > 0)).toBe(true);
    }
  });
});
