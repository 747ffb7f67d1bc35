import * as sdk from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { S3Backend } from "../s3-backend.ts";
import { allOf, digestOf, pieces } from "../testing/contract.ts";
import { S3Server } from "../testing/s3-server.ts";

let server: S3Server;
beforeAll(async () => {
  server = await S3Server.start();
  Object.assign(process.env, server.env);
});
afterAll(() => server?.[Symbol.asyncDispose]());

it("uploads a content again that another machine removes just before its time is renewed", async () => {
  const place = { bucket: "knack", prefix: "removed/", shown: "s3://knack/removed" };
  const client = new sdk.S3Client({ forcePathStyle: true });
  const backend = new S3Backend(sdk, client, place);
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
