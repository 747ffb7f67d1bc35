import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  statSync,
} from "node:fs";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { environment, knack, makeProject, PROGRAM } from "./run.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
const FILE = "home/.knack/token";

describe("interfaces HTTP: knack serve prints its address", () => {
  it("for a person with a link that carries the token in its fragment, the page last", async () => {
    using folder = makeProject();
    const child = spawn(process.execPath, [PROGRAM, "serve", "--port", "0"], {
      cwd: folder.at("repo"),
      env: environment(folder),
      stdio: ["pipe", "pipe", "ignore"],
    });
    let text = "";
    for await (const chunk of child.stdout) {
      text += chunk;
      if (text.includes("#token=")) break;
    }
    const token = readFileSync(folder.at(FILE), "utf8").trim();
    const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
    expect(text).toBe(
      `1 skill on ${origin}\n  MCP   ${origin}/mcp\n  API   ${origin}/api/openapi.json\n  page  ${origin}/#token=${token}\n`,
    );
    expect((await fetch(`${origin}/`)).status).toBe(200);
    child.kill("SIGTERM");
    expect((await once(child, "exit"))[0]).toBe(0);
  });

  it("for a script as one line of JSON, with the file of the token and not the token", async () => {
    using folder = makeProject();
    await using server = await Server.start(folder);
    expect(server).toMatchObject({
      url: `http://127.0.0.1:${server.port}`,
      mcp: `${server.url}/mcp`,
      api: `${server.url}/api`,
      token_file: folder.at(FILE),
    });
  });

  it("says what to do where there is nothing to serve", async () => {
    using folder = makeFolder({ "repo/.git/": "" });
    await using server = await Server.start(folder);
    await expect.poll(() => server.stderr).toContain("knack new");
    expect((await server.get("/api/skills")).status).toBe(200);
  });

  it("says what to do where the port is taken, and exits with 1", async () => {
    using folder = makeProject();
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const { code, stderr } = knack(folder, ["serve", "--port", String(port)]);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`127.0.0.1:${port} is in use`);
    expect(stderr).toContain("--port 0");
    expect(knack(folder, ["serve", "--port", "http"]).code).toBe(2);
    expect(knack(folder, ["serve", "--port", "65536"]).code).toBe(2);
  });
});

describe("interfaces HTTP: the token", () => {
  it("is made once, for its user alone, and every later start has it", async () => {
    using folder = makeProject();
    const servers = await Promise.all(Array.from({ length: 4 }, () => Server.start(folder)));
    const { token } = servers[0]!;
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(statSync(folder.at(FILE)).mode & 0o777).toBe(0o600);
    for (const server of servers) {
      expect((await server.post("/api/policy", {})).status).toBe(400);
      await server.end();
    }
    await using again = await Server.start(folder);
    expect(again.token).toBe(token);
  });

  it("is kept where KNACK_HOME says, or given by KNACK_TOKEN and kept nowhere", async () => {
    using folder = makeProject();
    const moved = await Server.start(folder, { env: { KNACK_HOME: folder.at("moved") } });
    expect(existsSync(folder.at("moved/token"))).toBe(true);
    await moved.end();
    await using given = await Server.start(folder, { env: { KNACK_TOKEN: TOKEN } });
    expect(given).toMatchObject({ token_file: null });
    expect(existsSync(folder.at(FILE))).toBe(false);
    const Authorization = `Bearer ${TOKEN}`;
    const body = JSON.stringify({});
    const headers = { Authorization, "Content-Type": "application/json" };
    const { status } = await fetch(`${given.url}/api/policy`, { method: "POST", body, headers });
    expect(status).toBe(400);
  });

  it("is made anew where others could read it, with a note", async () => {
    using folder = makeProject({ [FILE]: `${TOKEN}\n` });
    chmodSync(folder.at(FILE), 0o644);
    await using server = await Server.start(folder);
    expect(server.token).not.toBe(TOKEN);
    expect(statSync(folder.at(FILE)).mode & 0o777).toBe(0o600);
    expect(server.stderr).toContain("could be read by other users");
  });

  it.each([
    ["a link", { link: "../../elsewhere" }, "a symbolic link"],
    ["no token", "two words\n", "contains no valid token"],
    ["too large", "x".repeat(5_000), "cannot be used as the token file"],
  ])("is refused where the file is %s", (_name, spec, message) => {
    using folder = makeProject({ elsewhere: `${TOKEN}\n`, [FILE]: spec });
    if (typeof spec === "string") chmodSync(folder.at(FILE), 0o600);
    const { code, stderr } = knack(folder, ["serve", "--port", "0"]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain("remove it");
  });

  it("is refused where the file has another name too", () => {
    using folder = makeProject({ elsewhere: `${TOKEN}\n`, "home/.knack/": "" });
    chmodSync(folder.at("elsewhere"), 0o600);
    linkSync(folder.at("elsewhere"), folder.at(FILE));
    const { code, stderr } = knack(folder, ["serve", "--port", "0"]);
    expect([code, stderr.includes("more than one hard link")]).toEqual([1, true]);
  });

  it("is refused where the file is somebody else's", ({ skip }) => {
    skip(process.getuid?.() !== 0, "only root can give a file away");
    using folder = makeProject({ [FILE]: `${TOKEN}\n` });
    chmodSync(folder.at(FILE), 0o600);
    chownSync(folder.at(FILE), 54_321, 54_321);
    const { code, stderr } = knack(folder, ["serve", "--port", "0"]);
    expect([code, stderr.includes("belongs to another user")]).toEqual([1, true]);
  });

  it("is its user's alone whatever the umask is", async () => {
    for (const umask of ["000", "0777"]) {
      using folder = makeProject({ "home/.knack/": "" });
      const words = [process.execPath, PROGRAM, "serve", "--port", "0"];
      const shell = `umask ${umask}; exec ${words.map((word) => `'${word}'`).join(" ")} </dev/null`;
      const child = spawn("sh", ["-c", shell], {
        cwd: folder.at("repo"),
        env: environment(folder),
        stdio: ["ignore", "pipe", "ignore"],
      });
      await once(child.stdout, "data");
      child.kill("SIGTERM");
      await once(child, "exit");
      expect(statSync(folder.at(FILE)).mode & 0o777).toBe(0o600);
    }
  });

  it("is refused where a folder has its name", () => {
    using folder = makeProject({ [`${FILE}/`]: "" });
    const { code, stderr } = knack(folder, ["serve", "--port", "0"]);
    expect([code, stderr.includes("cannot be used as the token file (a folder)")]).toEqual([1, true]);
  });

  it("must be one that can be sent and not be guessed", () => {
    using folder = makeProject();
    for (const KNACK_TOKEN of [
      "has a space in it, so",
      "ünsendable-token-of-length",
      "te$t",
      "x".repeat(15),
      "x".repeat(513),
    ]) {
      const { code, stderr } = knack(folder, ["serve", "--port", "0"], { env: { KNACK_TOKEN } });
      expect([code, stderr.includes("KNACK_TOKEN must be")]).toEqual([1, true]);
    }
  });

  it("is made where the file is empty, and read without writing where it is there", async () => {
    using folder = makeProject({ [FILE]: "" });
    chmodSync(folder.at(FILE), 0o600);
    await using server = await Server.start(folder);
    expect(server.token).toMatch(/^[\w-]{43}$/);
    expect(server.stderr).toContain("was empty");
    await using again = await Server.start(folder);
    expect(again.token).toBe(server.token);
  });

  it("is good for one start where it cannot be kept, with a note", async () => {
    using folder = makeProject({ file: "" });
    await using server = await Server.start(folder, { env: { KNACK_HOME: folder.at("file/knack") } });
    expect(server).toMatchObject({ token_file: null });
    expect(server.stderr).toContain("cannot be saved");
    expect((await fetch(`${server.url}/`)).status).toBe(200);
    expect((await fetch(`${server.url}/api/skills`)).status).toBe(401);
  });
});

describe("other machines", () => {
  it.each(["0.0.0.0", "::", "192.168.1.5", "example.com"])(
    "refuses to listen on %s without access tokens and encryption, also with KNACK_TOKEN",
    (host) => {
      using folder = makeProject();
      const { code, stderr } = knack(folder, ["serve", "--port", "0", "--host", host], {
        env: { KNACK_TOKEN: TOKEN },
      });
      expect(code).toBe(2);
      expect(stderr).toContain("E_BIND_INSECURE");
      const { error } = knack(folder, ["serve", "--port", "0", "--host", host, "--json"]).json();
      expect(error.code).toBe("E_BIND_INSECURE");
      expect(existsSync(folder.at(FILE))).toBe(false);
    },
  );

  it.each(["localhost", "::1", "[::1]"])(
    "takes the other addresses of this machine's own: %s",
    async (host) => {
      using folder = makeProject();
      await using server = await Server.start(folder, { args: ["--host", host] });
      expect((await server.get("/api/status")).status).toBe(200);
    },
  );

  it("wants an address where one is to be given", () => {
    using folder = makeProject();
    for (const host of ["", " ", "[]"])
      expect(
        knack(folder, ["serve", "--port", "0", "--host", host], { env: { KNACK_TOKEN: TOKEN } }).code,
      ).toBe(2);
  });
});

describe("product: trust comes first", () => {
  it("serves only the user's own skills of a project that is not trusted, and the others once it is", async () => {
    using folder = makeProject();
    await using server = await Server.start(folder, { env: {} });
    const names = async () =>
      (await server.json<{ skills: { name: string }[] }>("/api/skills")).skills.map(({ name }) => name);
    expect(await names()).toEqual(["mine"]);
    expect(server.stderr).toContain("4 skills are unavailable");
    for (const path of ["/api/skills/good", "/api/skills/good/load", "/api/skills/good/files/SKILL.md"])
      expect((await server.get(path)).status).toBe(404);
    expect(await server.json("/api/status")).toMatchObject({ trusted: false, waiting_for_trust: 4 });
    const { nodes } = await server.json<{ nodes: { name: string }[] }>("/api/graph");
    expect(nodes.map(({ name }) => name)).toEqual(["mine"]);
    const refused = await server.post("/api/policy", { action: "disable", skill: "good" });
    expect([refused.status, await refused.text()]).toEqual([
      404,
      expect.stringContaining("4 more are hidden"),
    ]);
    expect(await (await server.get("/api/skills/good")).text()).toContain("4 more are hidden");
    expect(knack(folder, ["trust", "--yes"]).code).toBe(0);
    expect(await names()).toEqual(["good", "mine"]);
    expect(knack(folder, ["trust", "--revoke"]).code).toBe(0);
    expect(await names()).toEqual(["mine"]);
  });
});

describe("interfaces: standard input", () => {
  it("that was never open keeps nothing from running: /dev/null, and a pipe at its end", async () => {
    using folder = makeProject();
    for (const input of ["/dev/null", "pipe"] as const) {
      const null_ = openSync("/dev/null", "r");
      const child = spawn(process.execPath, [PROGRAM, "serve", "--port", "0"], {
        cwd: folder.at("repo"),
        env: environment(folder),
        stdio: [input === "pipe" ? "pipe" : null_, "pipe", "ignore"],
      });
      closeSync(null_);
      child.stdin?.end();
      await once(child.stdout!, "data");
      await wait(300);
      expect(child.exitCode).toBe(null);
      child.kill("SIGTERM");
      expect((await once(child, "exit"))[0]).toBe(0);
    }
  });
});
