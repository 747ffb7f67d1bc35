import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import type {} from "../packages/core/src/shared/testing/shared-service.ts";
import { type ServerVersion, TestServer } from "../packages/engine/src/store/testing/postgres/server.ts";
import { ARGUMENTS, CHROMIUM } from "./page/chromium.ts";

/**
 * What all files of a run share, started for the first that asks: a PostgreSQL server of each version, where each test has
 * schemas of its own, and a browser, where each test has contexts of its own. Tests get them by `sharedServer` and `openBrowser`.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<Service>>();
  const listener = createServer(async ({ url = "" }, response) => {
    if (!started.has(url)) started.set(url, start(url));
    try {
      response.end((await started.get(url))?.address);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  project.provide("services", `http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  return async () => {
    listener.close();
    for (const service of await Promise.allSettled(started.values()))
      if (service.status === "fulfilled") await service.value.stop();
  };
}

interface Service {
  readonly address: string;
  stop(): Promise<void>;
}

async function start(path: string): Promise<Service> {
  if (path === "/browser") {
    const browser = await chromium.launchServer({ executablePath: CHROMIUM, args: ARGUMENTS });
    return { address: browser.wsEndpoint(), stop: () => browser.close() };
  }
  const server = await TestServer.start(path.replace("/postgres/", "") as ServerVersion, [
    "max_connections=400",
  ]);
  return { address: String(server.port), stop: () => server[Symbol.asyncDispose]() };
}
