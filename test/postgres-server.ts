import type { TestProject } from "vitest/node";
import { TestServer } from "../packages/engine/src/store/testing/postgres/server.ts";

/** One server for all files of the project "postgres". */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await TestServer.start("18", ["max_connections=200"]);
  project.provide("postgres", `postgres://knack@127.0.0.1:${server.port}/postgres`);
  return () => server[Symbol.asyncDispose]();
}

declare module "vitest" {
  interface ProvidedContext {
    postgres: string;
  }
}
