import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { makeFolder } from "../../../core/src/testing/files.ts";
import { download } from "./download.ts";

it("a file that cannot be written is not called a fault of the network", async () => {
  using folder = makeFolder({ archive: "there already" });
  const server = createServer((_, response) => response.end("bytes")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const place = { env: {}, signal: new AbortController().signal };
  try {
    await expect(download(`http://127.0.0.1:${port}/a.tgz`, folder.at("archive"), place)).rejects.toThrow(
      /archive cannot be written.*EEXIST/,
    );
  } finally {
    server.close();
  }
});
