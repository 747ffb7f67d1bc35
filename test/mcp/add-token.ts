import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server } from "../http/server.ts";

/** A proxy in front of `knack serve` for a client that cannot send a token: it adds the header and changes nothing else. */
export async function addToken(to: Server): Promise<AsyncDisposable & { readonly url: string }> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers, rawHeaders } = incoming;
    // Keep the client's Host name and change only the port, so that the guard is tested too.
    const host = (headers.host ?? "").replace(/:\d+$/, `:${to.port}`);
    const passed = rawHeaders.map((text, i) => (rawHeaders[i - 1]?.toLowerCase() === "host" ? host : text));
    const origin = passed.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === "origin");
    const { port } = proxy.address() as AddressInfo;
    if (origin !== -1) passed[origin + 1] = (passed[origin + 1] ?? "").replace(`:${port}`, `:${to.port}`);
    const onward = request(
      {
        host: "127.0.0.1",
        port: to.port,
        method,
        path: url,
        headers: [...passed, ...Object.entries(to.bearer).flat()],
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      await new Promise((done) => proxy.close(done));
    },
  };
}
