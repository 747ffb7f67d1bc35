import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface GitServer extends AsyncDisposable {
  readonly url: string;
  /** The paths that were asked for. */
  readonly requests: string[];
}

/** The repositories of a folder over http, by git's own `http-backend`; with a login where one is given. */
export async function serveGit(folder: string, login?: string): Promise<GitServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    requests.push(url.pathname);
    const wanted = login && `Basic ${Buffer.from(login).toString("base64")}`;
    if (wanted && request.headers.authorization !== wanted) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="test"' }).end();
      return;
    }
    const child = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env.PATH ?? "",
        HOME: "/nonexistent",
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: "1",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "safe.directory",
        GIT_CONFIG_VALUE_0: "*",
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? "GET",
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
        ...(request.headers["content-encoding"]
          ? { HTTP_CONTENT_ENCODING: request.headers["content-encoding"] }
          : {}),
        ...(request.headers["content-length"] ? { CONTENT_LENGTH: request.headers["content-length"] } : {}),
      },
      stdio: ["pipe", "pipe", "ignore"],
    });
    request.pipe(child.stdin.on("error", () => {}));
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.once("close", () => {
      const all = Buffer.concat(parts);
      const end = all.indexOf("\r\n\r\n");
      const headers = all
        .toString("latin1", 0, end)
        .split("\r\n")
        .map((line) => line.split(": ") as [string, string]);
      const status = headers.find(([name]) => name.toLowerCase() === "status")?.[1] ?? "200";
      for (const [name, value] of headers)
        if (name.toLowerCase() !== "status") response.setHeader(name, value);
      response.writeHead(Number.parseInt(status, 10)).end(all.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
