import { createHash } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface FileServer extends AsyncDisposable {
  readonly url: string;
}

export async function serve(answer: RequestListener): Promise<FileServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A registry with one package: its versions and their tarballs; `lies` gives other bytes than it names, `old` names a SHA-1. */
export async function serveRegistry(
  name: string,
  versions: ReadonlyMap<string, Buffer>,
  lies = false,
  old = false,
): Promise<FileServer> {
  const server: FileServer = await serve((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    const tarball = [...versions].find(([version]) => path === `/${name}/-/${version}.tgz`)?.[1];
    if (tarball) {
      response.end(lies ? Buffer.concat([tarball, Buffer.from("x")]) : tarball);
      return;
    }
    if (path !== `/${name}`) {
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const listed = [...versions].map(([version, bytes]) => {
      const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
      const shasum = createHash("sha1").update(bytes).digest("hex");
      const tarball = `${server.url}/${name}/-/${version}.tgz`;
      return [version, { name, version, dist: { ...(old ? { shasum } : { integrity }), tarball } }];
    });
    const latest = [...versions.keys()].at(-1);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest }, versions: Object.fromEntries(listed) }));
  });
  return server;
}
