import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { knack } from "../cli/run.ts";
import { Server } from "../http/server.ts";
import { ask, makeCertificate } from "./certificate.ts";
import { addToken, bearer, makeTeamProject } from "./team.ts";

const TRUST = { KNACK_TRUST: "all" };
const PROXY = ["--behind-proxy", "https://knack.example.com"];

describe("interfaces Team: beyond loopback it needs tokens, and TLS or a proxy", () => {
  it.each(["0.0.0.0:0", "[::]:0", "192.168.1.5:4747", "example.com:4747"])(
    "refuses to start on %s, says everything that is missing, and opens nothing",
    (address) => {
      using folder = makeTeamProject();
      const start = (...more: string[]) =>
        knack(folder, ["serve", "--listen", address, ...more], {
          env: { ...TRUST, KNACK_TOKEN: "x".repeat(40) },
        });
      const nothing = start();
      expect([nothing.code, nothing.stdout]).toEqual([2, ""]);
      expect(start("--json").json().error.code).toBe("E_BIND_INSECURE");
      for (const word of ["E_BIND_INSECURE", "knack token add", "--tls-cert", "--behind-proxy", "127.0.0.1"])
        expect(nothing.stderr).toContain(word);
      const untokened = start(...PROXY);
      expect([untokened.code, untokened.stderr.includes("--tls-cert")]).toEqual([2, false]);
      addToken(folder, "olga", "owner");
      const bare = start();
      expect([bare.code, bare.stderr.includes("knack token add")]).toEqual([2, false]);
      expect(knack(folder, ["token", "revoke", "olga"], { env: TRUST }).code).toBe(0);
      expect(start(...PROXY).stderr).toContain("knack token add");
    },
  );

  it("refuses options that are wrong or do not fit together, with exit code 2", () => {
    using folder = makeTeamProject();
    for (const args of [
      ["--listen", "127.0.0.1:4747", "--port", "1"],
      ["--listen", "127.0.0.1:4747", "--host", "::1"],
      ["--listen", ":4747"],
      ["--listen", "127.0.0.1:99999"],
      ["--listen", "::1:4747"],
      ["--tls-cert", "x.pem"],
      ["--behind-proxy", "knack.example.com"],
      ["--behind-proxy", "http://knack.example.com"],
      ["--behind-proxy", "https://knack.example.com/below"],
      ["--behind-proxy", "https://user@knack.example.com"],
    ])
      expect([args, knack(folder, ["serve", ...args]).code]).toEqual([args, 2]);
  });

  it("on loopback the user's own token works as always, by any address of it", async () => {
    using folder = makeTeamProject();
    for (const address of ["127.0.0.1:0", "127.0.0.2:0", "[::1]:0", "localhost:0"]) {
      await using server = await Server.start(folder, { args: ["--listen", address] });
      expect((await server.get("/api/status")).status, address).toBe(200);
      // Another program may answer at the name's other address.
      if (address === "localhost:0") expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    }
  });
});

describe("--tls-cert and --tls-key", () => {
  it("serves a team over HTTPS: named tokens alone, the names of the certificate alone", async () => {
    using folder = makeTeamProject();
    const alice = addToken(folder, "alice", "reader");
    const own = "the-own-token-of-this-user-1234567890";
    const env = { ...TRUST, KNACK_TOKEN: own };
    const args = ["--listen", "0.0.0.0:0", ...makeCertificate(folder)];
    await using server = await Server.start(folder, { args, env });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    const get = (path: string, headers: Record<string, string> = {}) => ask(folder, server, path, headers);
    expect(await get("/api/me", bearer(alice))).toMatchObject({
      status: 200,
      text: JSON.stringify({ name: "alice", role: "reader" }),
    });
    expect((await get("/")).status).toBe(200);
    const refused = await get("/api/me", bearer(own));
    expect(refused.status).toBe(401);
    expect(refused.text).toContain("knack token add");
    const host = (name: string) => get("/api/me", { ...bearer(alice), Host: `${name}:${server.port}` });
    expect((await host("knack.test")).status).toBe(200);
    for (const name of ["evil.test", "knack.test.evil.com", "sub.knack.test"])
      expect((await host(name)).status, name).toBe(403);
    const from = (Origin: string) => get("/api/me", { ...bearer(alice), Origin });
    expect((await from(`https://127.0.0.1:${server.port}`)).status).toBe(200);
    expect((await from(`http://127.0.0.1:${server.port}`)).status).toBe(403);
    expect((await from("https://evil.test")).status).toBe(403);
    await expect(ask(folder, server, "/", {}, "TLSv1.1")).rejects.toThrow();
    expect((await ask(folder, server, "/", {}, "TLSv1.2")).status).toBe(200);
  });

  it("outlives connections that speak no TLS, say nothing or leave in the handshake", async () => {
    using folder = makeTeamProject();
    const alice = addToken(folder, "alice", "reader");
    const args = ["--listen", "0.0.0.0:0", ...makeCertificate(folder)];
    await using server = await Server.start(folder, { args });
    const strangers = [
      "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
      "",
      "\x16\x03\x01\x02\x00\x01\x00",
      "\x00".repeat(600),
    ];
    const sockets = strangers.map((bytes) => {
      const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
      socket.write(bytes);
      return socket;
    });
    // More than twice the limit of connections, and none of them begins the handshake.
    for (let i = 0; i < 600; i++)
      sockets.push(connect(server.port, "127.0.0.1").on("error", () => undefined));
    // Above the limit, connections are reset until those that begin no handshake have timed out.
    const status = (): Promise<number> =>
      ask(folder, server, "/api/me", bearer(alice)).then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(status).toBe(200);
    expect(server.stderr).not.toContain("rror");
  });

  it("takes a renewed certificate without a restart, and keeps the old one while the new pair is broken", async () => {
    using folder = makeTeamProject();
    addToken(folder, "alice", "reader");
    const args = ["--listen", "0.0.0.0:0", ...makeCertificate(folder, "first.test")];
    await using server = await Server.start(folder, { args });
    const name = async () => (await ask(folder, server, "/")).certified;
    expect(await name()).toBe("first.test");
    writeFileSync(folder.at("key.pem"), "no key");
    server.process.kill("SIGHUP");
    await expect.poll(() => server.stderr).toContain("goes on with the certificate");
    expect(await name()).toBe("first.test");
    makeCertificate(folder, "second.test");
    server.process.kill("SIGHUP");
    // Until the new one is served its client does not trust the server.
    await expect.poll(() => name().catch(() => "")).toBe("second.test");
    expect(await server.end()).toBe(0);
  });

  it.each([
    ["a missing file", "cert.pem", undefined],
    [
      "what is no certificate",
      "cert.pem",
      "-----BEGIN CERTIFICATE-----\nSECRET\n-----END CERTIFICATE-----\n",
    ],
    ["what is no key", "key.pem", "-----BEGIN PRIVATE KEY-----\nSECRET\n-----END PRIVATE KEY-----\n"],
  ])("refuses to start with %s, without its content", (_what, file, content) => {
    using folder = makeTeamProject();
    addToken(folder, "alice", "reader");
    const options = makeCertificate(folder);
    if (content === undefined) options[1] = folder.at("none.pem");
    else writeFileSync(folder.at(file), content);
    const { code, stderr } = knack(folder, ["serve", "--listen", "0.0.0.0:0", ...options], { env: TRUST });
    expect([code, stderr.includes("SECRET"), stderr.includes(".pem")]).toEqual([1, false, true]);
  });
});

describe("--behind-proxy", () => {
  it.each(["127.0.0.1:0", "0.0.0.0:0"])(
    "on %s accepts the Host and the Origin of the proxy, nothing else",
    async (address) => {
      using folder = makeTeamProject();
      const alice = addToken(folder, "alice", "reader");
      const env = { ...TRUST, KNACK_TOKEN: "the-own-token-of-this-user-1234567890" };
      await using server = await Server.start(folder, { args: ["--listen", address, ...PROXY], env });
      expect(server.url).toBe("https://knack.example.com");
      const at = { port: server.port, isTls: false };
      const get = async (headers: Record<string, string>, token = alice) =>
        (await ask(folder, at, "/api/me", { ...bearer(token), ...headers })).status;
      const Host = "knack.example.com";
      for (const host of [Host, `${Host}:443`, "KNACK.example.com"])
        expect(await get({ Host: host }), host).toBe(200);
      for (const host of [
        `127.0.0.1:${server.port}`,
        `localhost:${server.port}`,
        "evil.com",
        `${Host}:${server.port}`,
        `${Host}.evil.com`,
        `evil.${Host}`,
      ])
        expect(await get({ Host: host }), host).toBe(403);
      expect(await get({ Host, Origin: `https://${Host}` })).toBe(200);
      for (const Origin of [`http://${Host}`, "https://evil.com", "null", `http://127.0.0.1:${server.port}`])
        expect(await get({ Host, Origin }), Origin).toBe(403);
      // What a client claims about the host counts for nothing.
      expect(await get({ Host: "evil.com", "X-Forwarded-Host": Host })).toBe(403);
      expect(await get({ Host }, env.KNACK_TOKEN)).toBe(401);
    },
  );
});
