import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { S3 } from "@aws-sdk/client-s3";
import { makeFolder } from "@knack/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SharedServer } from "../store/testing/postgres/server.ts";
import { sharedServer } from "../store/testing/postgres/shared-server.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { keepInput, materialise } from "./keep-input.ts";
import { S3Backend } from "./s3-backend.ts";
import { allOf, describeContents, digestOf, pieces, remove } from "./testing/contract.ts";
import { openPostgresScene } from "./testing/postgres-scene.ts";
import { nameAsArtifact, nameAsEvidence, nameAsQueued } from "./testing/records.ts";
import { openS3Scene } from "./testing/s3-scene.ts";
import { S3Server } from "./testing/s3-server.ts";

let postgres: SharedServer;
let s3: S3Server;
beforeAll(async () => {
  [postgres, s3] = await Promise.all([sharedServer("18"), S3Server.start()]);
});
afterAll(async () => {
  await s3?.[Symbol.asyncDispose]();
});

describeContents("PostgreSQL", () => openPostgresScene(postgres.url()));
describeContents("S3", () => openS3Scene(s3, randomUUID()));

const HOUR = 3_600_000;
const OLD = { olderThanMs: HOUR };

type Scene = Awaited<ReturnType<typeof openPostgresScene>>;

async function putOld({ contents, age }: Scene, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const digest = digestOf(bytes);
  await contents.put(digest, () => pieces(bytes));
  await age(digest.sha256, 2 * HOUR);
  return digest.sha256;
}

describe("collecting contents that nothing names", () => {
  it("keeps what an artifact, an evidence or an open queued run names", async () => {
    await using scene = await openPostgresScene(postgres.url());
    const { store, contents } = scene;
    await nameAsArtifact(store, await putOld(scene, "artifact"));
    await nameAsEvidence(store, await putOld(scene, "evidence"), false);
    await nameAsEvidence(store, await putOld(scene, "evidence data"), true);
    for (const state of ["WAITING", "RUNNING", "FAILED", "DEAD"])
      await nameAsQueued(store, await putOld(scene, state), state);
    const gone: string[] = [];
    for (const state of ["SUCCEEDED", "CANCELLED"]) {
      gone.push(await putOld(scene, state));
      await nameAsQueued(store, gone.at(-1) ?? "", state);
    }
    gone.push(await putOld(scene, "nobody's"));
    const removed: string[] = [];
    const onRemove = ({ sha256 }: { sha256: string }) => removed.push(sha256);
    const planned = await collectGarbage(contents, store, { ...OLD, dryRun: true, onRemove });
    expect(planned).toMatchObject({ removed: 3, kept: 7 });
    expect(removed.sort()).toEqual(gone.sort());
    expect(await allOf(contents.list())).toHaveLength(10);
    expect(await collectGarbage(contents, store, OLD)).toEqual(planned);
    expect(await allOf(contents.list())).toHaveLength(7);
    expect(await collectGarbage(contents, store, OLD)).toMatchObject({ removed: 0, kept: 7 });
  });

  it("keeps what is new, whatever names it", async () => {
    await using scene = await openPostgresScene(postgres.url());
    const bytes = Buffer.from("new");
    await scene.contents.put(digestOf(bytes), () => pieces(bytes));
    expect(await collectGarbage(scene.contents, scene.store, OLD)).toMatchObject({ removed: 0, kept: 1 });
  });

  it("looks at more than one page of evidence", async () => {
    await using scene = await openPostgresScene(postgres.url());
    await scene.store.db.transaction(async (tx) => {
      for (let i = 0; i < 1500; i++)
        await tx.run(
          `INSERT INTO evidences (evidence_id, requirement_id, evidence_type, data_json, created_at) VALUES (?, 'q', 'FILE', '{}', '')`,
          [`a${String(i).padStart(5, "0")}`],
        );
    });
    await nameAsEvidence(scene.store, await putOld(scene, "late"), true);
    expect(await collectGarbage(scene.contents, scene.store, OLD)).toMatchObject({ removed: 0, kept: 1 });
  });
});

describe("an input for another machine", () => {
  it.each([0, 1, 3_000_000])("of %d bytes arrives as it was", async (size) => {
    await using scene = await openPostgresScene(postgres.url());
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
    await using scene = await openPostgresScene(postgres.url());
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
    await using scene = await openPostgresScene(postgres.url());
    using folder = makeFolder({ "in.txt": "x".repeat(3000) });
    const kept = await keepInput(scene.contents, folder.at("in.txt"));
    await scene.damage(kept.sha256);
    await expect(materialise(scene.contents, kept, folder.at("out.txt"))).rejects.toMatchObject({
      code: "CORRUPT",
    });
    await remove(scene.contents, kept.sha256);
    await expect(materialise(scene.contents, kept, folder.at("out.txt"))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(readdirSync(folder.path)).toEqual(["in.txt"]);
  });

  it("must be a regular file", async () => {
    await using scene = await openPostgresScene(postgres.url());
    using folder = makeFolder();
    await expect(keepInput(scene.contents, folder.path)).rejects.toThrow("is not a file");
  });
});

it("uploads a content again that another machine removes just before its time is renewed", async () => {
  const place = { bucket: "knack", prefix: "removed/", shown: "s3://knack/removed" };
  Object.assign(process.env, s3.env);
  const client = new S3({ forcePathStyle: true });
  const backend = new S3Backend(client, place);
  const bytes = Buffer.from("a content that is renewed");
  const digest = digestOf(bytes);
  const write = (): Promise<void> => backend.write(digest, () => pieces(bytes), false);
  await write();
  const removals: string[] = [];
  client.middlewareStack.add((next, { commandName = "" }) => async (args) => {
    if (commandName === "CopyObjectCommand") {
      removals.push(digest.sha256);
      await backend.remove(digest.sha256);
    }
    return next(args);
  });
  await write();
  expect(removals).toHaveLength(1);
  const stored = await backend.read(digest.sha256);
  expect(Buffer.concat(await allOf(stored ?? pieces(Buffer.alloc(0)))).equals(bytes)).toBe(true);
});
