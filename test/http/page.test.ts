import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { PAGE_PATHS } from "../../packages/knack/src/http/routes/page.ts";
import { makeProject } from "../cli/run.ts";
import { Server, statusOf } from "./server.ts";

const WEB = join(import.meta.dirname, "../../packages/web/src");
const BUILT = join(import.meta.dirname, "../../packages/knack/dist/web");

const assets = readdirSync(join(BUILT, "assets")).filter((name) => /\.(?:js|css)$/.test(name));

const folder = makeProject();
const server = await Server.forFile(folder);

/** An address of the page with something in place of its parameters. */
const filled = (path: string): string => path.replace("{id}", "user%3Agood");

describe("GET /, the page's own files", () => {
  it("are the same for everyone: they need no token, and say nothing of this machine", async () => {
    const files = [...PAGE_PATHS.map(filled), "/icon.svg", ...assets.map((name) => `/assets/${name}`)];
    for (const path of files) {
      const response = await fetch(`${server.url}${path}`);
      const text = await response.text();
      expect(response.status, path).toBe(200);
      for (const secret of [folder.path, server.token, "Does good.", `:${server.port}`])
        expect(text, secret).not.toContain(secret);
    }
  });

  it("may run only their own scripts, make markup only through DOMPurify, and connect only to this server", async () => {
    const policy = (await fetch(server.url)).headers.get("content-security-policy") ?? "";
    const rules = new Map(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]));
    expect(rules.get("default-src")).toEqual(["'none'"]);
    for (const name of ["script-src", "connect-src", "font-src"]) expect(rules.get(name)).toEqual(["'self'"]);
    expect(rules.get("style-src")).toEqual(["'self'", `'sha256-${await firstStyleHash()}'`]);
    expect(rules.get("require-trusted-types-for")).toEqual(["'script'"]);
    expect(rules.get("trusted-types")).toEqual(["dompurify"]);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it("name no other place, and have no script in the markup and only the style of the first paint", async () => {
    const html = await (await server.get("/")).text();
    expect(html.match(/<style/g)).toHaveLength(1);
    expect(html).not.toMatch(/\sstyle=|\son\w+=|https?:/);
    const scripts = [
      ...html.matchAll(/<script type="module" crossorigin src="(\/assets\/[^"]+)"><\/script>/g),
    ];
    expect(scripts).toHaveLength(html.match(/<script/g)?.length ?? -1);
    for (const [, path] of scripts) {
      const script = await (await server.get(path ?? "")).text();
      expect(script).not.toMatch(/insertAdjacentHTML|document\.write|\beval\(|new Function|document\.cookie/);
      expect(script).toContain("history.replaceState");
    }
  });

  it("cut off whatever opened them, unless the browser says that the user did", async () => {
    for (const [site, policy] of [
      ["cross-site", "same-origin"],
      ["same-site", "same-origin"],
      ["same-origin", "same-origin"],
      ["", "same-origin"],
      ["none", "unsafe-none"],
    ] as const) {
      const headers = { "Sec-Fetch-Mode": "navigate", ...(site && { "Sec-Fetch-Site": site }) };
      const answer = await rawGet("/skills", "identity", headers);
      expect(answer.headers.get("cross-origin-opener-policy"), site).toBe(policy);
    }
    const data = await rawGet("/api/status", "identity", { ...server.bearer, "Sec-Fetch-Site": "none" });
    expect(data.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });

  it("come compressed to those who can read that, and are kept by the browser under their own name", async () => {
    const name = assets.find((one) => one.endsWith(".js") && one.startsWith("index-")) ?? "";
    const whole = readFileSync(join(BUILT, "assets", name));
    for (const [accepted, encoding, unpack] of [
      ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
      ["gzip;q=0.5, br;q=0", "gzip", gunzipSync],
      ["identity", null, (bytes: Buffer) => bytes],
    ] as const) {
      const answer = await rawGet(`/assets/${name}`, accepted);
      expect(answer.headers.get("content-encoding") ?? null).toBe(encoding);
      expect(answer.headers.get("cache-control")).toMatch(/immutable/);
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      expect(unpack(answer.body).equals(whole)).toBe(true);
    }
    expect((await fetch(server.url)).headers.get("cache-control")).toBe("no-store");
  });

  it("are at most 120 kB compressed for the first load of any page but the graph", () => {
    const html = readFileSync(join(BUILT, "index.html"), "utf8");
    const first = [...html.matchAll(/\/assets\/([\w.-]+)"/g)].map(([, name = ""]) => name);
    const pages = assets.filter((name) =>
      /^(?:home|skills?|try|runs|plans|audit|connect)-.*\.js$/.test(name),
    );
    expect(pages.length).toBeGreaterThanOrEqual(8);
    for (const page of pages) {
      const files = new Set([...first, page]);
      for (const file of files) {
        const text = readFileSync(join(BUILT, "assets", file), "utf8");
        for (const [, name = ""] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
          files.add(name);
      }
      const bytes = [...files].reduce((sum, file) => sum + compressed(join(BUILT, "assets", file)), 0);
      expect(bytes, page).toBeLessThanOrEqual(120_000);
    }
  });

  it("are sent for the page's addresses alone", async () => {
    for (const path of ["/nothing", "/skills/a/b", "/runs/a/b", "/assets", "/assets/a/b"])
      expect((await server.get(path)).status, path).toBe(404);
    for (const path of ["/assets/none.js", "/assets/..%2findex.html", "/assets/index.html"])
      expect([400, 404], path).toContain((await server.get(path)).status);
    expect(
      statusOf(
        await server.raw(
          `GET /assets/../index.html HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n\r\n`,
        ),
      ),
    ).toBe(401);
    expect((await fetch(`${server.url}/nothing`)).status).toBe(401);
    expect((await server.post("/skills", {})).status).toBe(405);
  });

  it("know the same addresses as the server", () => {
    const source = readFileSync(join(WEB, "app", "app.tsx"), "utf8");
    const own = [...source.matchAll(/^ +\["(\/[^"]*)", \w+/gm)].map(([, path = ""]) => path);
    expect(own.map((path) => path.replace(/:(\w+)/g, "{$1}"))).toEqual([...PAGE_PATHS]);
  });
});

/** The hash of the one style that stands in the HTML. */
async function firstStyleHash(): Promise<string> {
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(await (await fetch(server.url)).text()) ?? [];
  expect(style).toContain(".frame");
  return createHash("sha256").update(style).digest("base64");
}

/** The size of a file as a browser gets it; small files are sent as they are. */
function compressed(file: string): number {
  const packed = `${file}.br`;
  return statSync(existsSync(packed) ? packed : file).size;
}

/** fetch unpacks by itself, so ask by a socket. */
async function rawGet(
  path: string,
  accepted: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ headers: Headers; body: Buffer }> {
  const socket = await server.connect();
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const sent = {
    Host: `127.0.0.1:${server.port}`,
    "Accept-Encoding": accepted,
    Connection: "close",
    ...more,
  };
  const head = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${head.join("")}\r\n`);
  await new Promise((done) => socket.once("close", done));
  const answer = Buffer.concat(chunks);
  const end = answer.indexOf("\r\n\r\n");
  const lines = answer.subarray(0, end).toString().split("\r\n").slice(1);
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return { headers, body: answer.subarray(end + 4) };
}
