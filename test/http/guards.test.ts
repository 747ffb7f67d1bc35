import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { makeProject, REPO } from "../cli/run.ts";
import { readAll, Server, statusOf } from "./server.ts";

const folder = makeProject({ "repo/.agents/skills/good/notes.md": "notes\n", "secret.txt": "SECRET" });
const server = await Server.forFile(folder);

const get = (path: string, host = `127.0.0.1:${server.port}`, more = ""): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${bearer()}${more}Connection: close\r\n\r\n`;
const own = (): string => `Host: 127.0.0.1:${server.port}\r\n`;
const bearer = (): string => `Authorization: ${server.bearer.Authorization}\r\n`;

describe("quality 9 · interfaces HTTP: who is answered", () => {
  it("answers by its own names alone, so that no page comes in by DNS rebinding", async () => {
    for (const host of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
      for (const port of [`:${server.port}`, ""])
        expect(statusOf(await server.raw(get("/api/status", `${host}${port}`))), host).toBe(200);
    for (const host of [
      "evil.com",
      `evil.com:${server.port}`,
      `localhost.evil.com:${server.port}`,
      `127.0.0.1.evil.com:${server.port}`,
      `127.0.0.1:${server.port + 1}`,
      "evil.localhost",
      `evil.localhost:${server.port}`,
      `[::ffff:127.0.0.1]:${server.port}`,
      `2130706433:${server.port}`,
      `0x7f.1:${server.port}`,
      `localhost.:${server.port}`,
      "127.0.0.1:",
      "",
      `0.0.0.0:${server.port}`,
      `user@127.0.0.1:${server.port}`,
      `127.0.0.1:${server.port}/`,
    ])
      expect(statusOf(await server.raw(get("/api/status", host))), host).toBe(403);
  });

  it("refuses a missing and a double Host", async () => {
    expect(statusOf(await server.raw("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"))).toBe(400);
    expect(statusOf(await server.raw("GET / HTTP/1.0\r\n\r\n"))).toBe(400);
    expect(statusOf(await server.raw(get("/", undefined, own())))).toBe(400);
    const hidden = `${"X: y\r\n".repeat(1_990)}${own()}`;
    expect(statusOf(await server.raw(get("/", undefined, hidden)))).toBe(400);
  });

  it("refuses other origins", async () => {
    for (const origin of [
      "http://evil.com",
      "null",
      "file://",
      "http://localhost.evil.com",
      `https://127.0.0.1:${server.port}`,
      `http://127.0.0.1:${server.port + 1}`,
      "http://127.0.0.1",
      "http://localhost",
      `http://evil.localhost:${server.port}`,
      `http://127.0.0.1:${server.port}/`,
      `http://127.0.0.1:${server.port}, http://evil.com`,
      "",
    ])
      expect(statusOf(await server.raw(get("/api/status", undefined, `Origin: ${origin}\r\n`))), origin).toBe(
        403,
      );
    // The page may be opened under any of these names; browsers mark it as cross-site if they differ.
    for (const name of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]) {
      const same = `Origin: http://${name}:${server.port}\r\n`;
      expect(statusOf(await server.raw(get("/api/status", undefined, same))), name).toBe(200);
    }
  });

  it("refuses requests that a browser marks as another site's, but for a link to the page", async () => {
    const cross = (mode: string) => `Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: ${mode}\r\n`;
    expect(statusOf(await server.raw(get("/api/search?q=x", undefined, cross("no-cors"))))).toBe(403);
    expect(statusOf(await server.raw(get("/api/skills", undefined, cross("navigate"))))).toBe(403);
    expect(statusOf(await server.raw(get("/", undefined, cross("navigate"))))).toBe(200);
    expect(statusOf(await server.raw(get("/skills/good", undefined, cross("navigate"))))).toBe(200);
    expect(statusOf(await server.raw(get("/skills/good", undefined, cross("no-cors"))))).toBe(403);
  });

  it("refuses before the body is read: the answer comes while it is still awaited", async () => {
    for (const headers of [`Host: evil.com\r\n`, `${own()}Origin: null\r\n`, own()]) {
      const socket = await server.connect();
      socket.write(
        `POST /api/policy HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
      );
      const answer = await readAll(socket);
      expect(statusOf(answer)).toBe(headers === own() ? 401 : 403);
    }
  });

  it("does not invite a body that it would refuse (Expect: 100-continue)", async () => {
    const head = `POST /api/policy HTTP/1.1\r\n${own()}Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n`;
    expect(await server.raw(`${head}\r\n`)).not.toContain("100 Continue");
    const socket = await server.connect();
    socket.write(`${head}Authorization: Bearer ${server.token}\r\nConnection: close\r\n\r\n`);
    const [first] = await once(socket, "data");
    expect(String(first)).toContain("HTTP/1.1 100 Continue");
    socket.write("{}");
    expect(statusOf(await readAll(socket))).toBe(400);
  });

  it("wants the token for everything, in its header alone", async () => {
    const body = { action: "disable", skill: "good" };
    const without = await fetch(`${server.url}/api/policy`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    });
    expect(without.status).toBe(401);
    expect(without.headers.get("www-authenticate")).toBe('Bearer realm="knack"');
    expect(await without.json()).toEqual({
      error: {
        code: "ACCESS_DENIED",
        message: expect.stringMatching(/Authorization: Bearer TOKEN.*~\/\.knack\/token/),
      },
    });
    const mcp = await fetch(`${server.url}/mcp`, {
      method: "POST",
      body: "{}",
      headers: { "Content-Type": "application/json" },
    });
    expect([mcp.status, await mcp.text()]).toEqual([
      401,
      expect.stringMatching(/Authorization: Bearer TOKEN.*~\/\.knack\/token/),
    ]);
    for (const Authorization of [
      "Bearer wrong",
      `Basic ${server.token}`,
      `Bearer ${server.token}x`,
      "Bearer ",
    ]) {
      const { status, headers } = await server.post("/api/policy", body, { Authorization });
      expect([status, headers.get("www-authenticate")]).toEqual([
        401,
        'Bearer realm="knack", error="invalid_token"',
      ]);
      expect((await server.get("/api/status", { Authorization })).status).toBe(401);
      // A right token in between resets the count of wrong ones.
      expect((await server.get("/api/status")).status).toBe(200);
    }
    const elsewhere = { "Content-Type": "application/json", Cookie: `token=${server.token}` };
    const { status } = await fetch(`${server.url}/api/policy?token=${server.token}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: elsewhere,
    });
    expect(status).toBe(401);
    const twice = `GET /api/status HTTP/1.1\r\n${own()}${bearer()}Authorization: Bearer x\r\nConnection: close\r\n\r\n`;
    expect(statusOf(await server.raw(twice))).toBe(401);
    expect(statusOf(await server.raw(twice.replace("Bearer x", server.bearer.Authorization)))).toBe(401);
    expect(statusOf(await server.raw(get("/api/status").replace("Bearer", "bEARER")))).toBe(200);
  });

  it("reveals nothing without the token", async () => {
    const answers = await Promise.all(
      [
        "/api/status",
        "/api/none",
        "/none",
        "/api/skills/good",
        "/api/skills/none",
        "/mcp",
        "/api/%zz",
        "/x/../y",
      ].map((path) => server.raw(get(path).replace(bearer(), ""))),
    );
    const told = answers.map((answer) => answer.replace(/^Date: .*$/m, ""));
    expect(statusOf(told[0] ?? "")).toBe(401);
    expect(new Set(told).size).toBe(1);
  });
});

describe("simple requests of other pages", () => {
  it("takes JSON alone, sent as it is", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json, text/plain",
      "text/plain; application/json",
      "application/json; charset=utf-16",
      "application/jsonx",
    ])
      expect((await server.post("/api/policy", "{}", { "Content-Type": type })).status, type).toBe(415);
    const gzip = { "Content-Encoding": "gzip" };
    expect((await server.post("/api/policy", "{}", gzip)).status).toBe(415);
    const none = `POST /api/policy HTTP/1.1\r\n${own()}Authorization: Bearer ${server.token}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`;
    expect(statusOf(await server.raw(none))).toBe(415);
    for (const type of ["application/json-patch+json", "application/vnd.knack+json"])
      expect((await server.post("/api/policy", "{}", { "Content-Type": type })).status, type).toBe(415);
    const utf8 = { "Content-Type": "application/json; charset=UTF-8" };
    expect((await server.post("/api/policy", "{}", utf8)).status).toBe(400);
  });

  it("says so to a page that has no token, too: what it sends is refused as what it is", async () => {
    const send = (headers: string) =>
      server.raw(`POST /api/policy HTTP/1.1\r\n${own()}Connection: close\r\n${headers}\r\n{}`);
    expect(statusOf(await send("Content-Type: text/plain\r\nContent-Length: 2\r\n"))).toBe(415);
    const json = "Content-Type: application/json\r\n";
    expect(statusOf(await send(`${json}Content-Length: 10737418240\r\n`))).toBe(413);
    expect(statusOf(await send(`${json}Content-Length: 2\r\n`))).toBe(401);
    expect(statusOf(await server.raw(`POST /api/policy HTTP/1.1\r\n${own()}Connection: close\r\n\r\n`))).toBe(
      401,
    );
  });

  it("never sends a CORS header, to a preflight neither", async () => {
    const preflight = (origin: string): string =>
      `OPTIONS /api/policy HTTP/1.1\r\n${own()}${bearer()}Origin: ${origin}\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization\r\nConnection: close\r\n\r\n`;
    const foreign = await server.raw(preflight("http://evil.com"));
    const same = await server.raw(preflight(`http://127.0.0.1:${server.port}`));
    expect([statusOf(foreign), statusOf(same)]).toEqual([403, 204]);
    for (const answer of [foreign, same, await server.raw(get("/api/skills")), await server.raw(get("/mcp"))])
      expect(answer).not.toMatch(/access-control/i);
  });
});

describe("paths", () => {
  it.each([
    "..%2f..%2f..%2f..%2fsecret.txt",
    "%2e%2e/%2e%2e/%2e%2e/%2e%2e/secret.txt",
    "../../../../secret.txt",
    "..%252f..%252fsecret.txt",
    "%252e%252e/secret.txt",
    "..%c0%af..%c0%afsecret.txt",
    "..%ef%bc%8fsecret.txt",
    "..%5c..%5csecret.txt",
    "..\\..\\secret.txt",
    "//etc/passwd",
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "notes.md%00.txt",
    "%00",
    ".",
    "./notes.md",
    "notes.md/",
    "notes.md/..",
    "notes.md%0d%0aX: y",
    "%zz",
    "%",
    "x".repeat(16 * 1024),
    "C:/windows/win.ini",
  ])("serves nothing for files/%s", async (path) => {
    const answer = await server.raw(get(`/api/skills/good/files/${path}`));
    expect([400, 403, 404]).toContain(statusOf(answer));
    expect(answer).not.toMatch(/SECRET|root:/);
    expect(answer).not.toContain(folder.path);
  });

  it("serves nothing through a link to outside", async () => {
    folder.write({ [`${REPO}/good/out.md`]: { link: folder.at("secret.txt") } });
    const answer = await server.raw(get("/api/skills/good/files/out.md"));
    expect(statusOf(answer)).toBe(403);
    expect(answer).not.toContain("SECRET");
  });

  it("decodes once", async () => {
    folder.write({ [`${REPO}/good/50%25.md`]: "fifty", [`${REPO}/good/a b/ü.md`]: "umlaut" });
    const file = async (path: string) =>
      (await server.json<{ content?: string }>(`/api/skills/good/files/${path}`)).content;
    expect(await file("50%2525.md")).toBe("fifty");
    expect(await file("a%20b/%C3%BC.md")).toBe("umlaut");
    expect(await file("50%25.md")).toBeUndefined();
    // As generated clients send it; in other routes an encoded slash is not accepted.
    expect(await file("a%20b%2F%C3%BC.md")).toBe("umlaut");
    expect((await server.get("/api%2Fstatus")).status).toBe(404);
    expect((await server.get("/api/skills/good%2Fload")).status).toBe(404);
  });

  it("takes a path and no URL", async () => {
    for (const url of [`http://127.0.0.1:${server.port}/api/status`, "http://evil.com/", "*", "api/status"]) {
      const answer = await server.raw(get(url));
      expect(statusOf(answer), url).toBe(400);
    }
  });
});

describe("input that is not a request", () => {
  const secret = "X-Secret: reflected-no-more\r\n";
  it.each([
    ["TRACE", () => `TRACE / HTTP/1.1\r\n${own()}${secret}Connection: close\r\n\r\n`, 405],
    ["CONNECT", () => `CONNECT evil.com:443 HTTP/1.1\r\nHost: evil.com:443\r\n${secret}\r\n`, 405],
    [
      "PROPFIND",
      () => `PROPFIND /api/skills HTTP/1.1\r\n${own()}${bearer()}${secret}Connection: close\r\n\r\n`,
      405,
    ],
    ["DELETE", () => `DELETE /api/skills HTTP/1.1\r\n${own()}${bearer()}Connection: close\r\n\r\n`, 405],
    ["an unknown method", () => `KNACK / HTTP/1.1\r\n${own()}${secret}\r\n`, 400],
    ["HTTP/0.9", () => "GET /\r\n\r\n", 400],
    ["1,000 header fields", () => get("/", undefined, "X-A: b\r\n".repeat(1_000)), 400],
    ["a header of 64 KiB", () => get("/", undefined, `X-A: ${"b".repeat(65_536)}\r\n`), 431],
    ["a bare carriage return", () => get("/", undefined, "X-A: b\rX-B: c\r\n"), 400],
    ["a folded header", () => get("/", undefined, "X-A: b\r\n c\r\n"), 400],
    ["bytes", () => "\u0016\u0003\u0001\u0002\u0000\u0001", 400],
  ])("answers %s without repeating it", async (_name, bytes, status) => {
    const answer = await server.raw(bytes());
    expect(statusOf(answer)).toBe(status);
    expect(answer).not.toContain("reflected-no-more");
    expect(answer).toContain("X-Content-Type-Options: nosniff");
  });

  it("ignores a request to upgrade the protocol", async () => {
    const upgrade = `GET /api/status HTTP/1.1\r\n${own()}${bearer()}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`;
    expect(statusOf(await server.raw(upgrade))).toBe(200);
  });

  it("answers pipelined requests in their order, and HEAD without a body", async () => {
    const socket = await server.connect();
    socket.write(`HEAD /api/status HTTP/1.1\r\n${own()}${bearer()}\r\n${get("/api/none")}`);
    const answer = await readAll(socket);
    expect([...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)).toEqual(["200", "404"]);
    expect(answer).not.toContain("snapshot_version");
  });
});

describe("every answer", () => {
  it("has the security headers", async () => {
    for (const path of ["/", "/api/skills", "/api/none", "/api/openapi.json", "/api/skills/none"]) {
      const { headers } = await server.get(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
  });
});
