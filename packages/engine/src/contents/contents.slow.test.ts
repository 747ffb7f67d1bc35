import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { TestServer } from "../store/testing/postgres/server.ts";
import { describeContents } from "./testing/contract.ts";
import { openFileScene } from "./testing/file-scene.ts";
import { openPostgresScene } from "./testing/postgres-scene.ts";
import { openS3Scene } from "./testing/s3-scene.ts";
import { S3Server } from "./testing/s3-server.ts";

let postgres: TestServer;
let s3: S3Server;
beforeAll(async () => {
  [postgres, s3] = await Promise.all([TestServer.start("18"), S3Server.start()]);
});
afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  await s3?.[Symbol.asyncDispose]();
});

describeContents("PostgreSQL", () => openPostgresScene(postgres.url()));
describeContents("a shared folder, with the clock of PostgreSQL", () => openFileScene(postgres.url()));
describeContents("S3", () => openS3Scene(s3, randomUUID()));
