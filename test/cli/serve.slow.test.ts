import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { environment, knack, makeProject, type Outcome, PROGRAM, program } from "./run.ts";

/** The program itself, with its own standard streams. */
const serve = (folder: Folder, args: readonly string[], stdio: StdioOptions) =>
  spawn(process.execPath, [PROGRAM, "serve", "--port", "0", ...args], {
    cwd: folder.at("repo"),
    env: environment(folder),
    stdio,
  });

const TOKEN = "0123456789abcdef0123456789abcdef";
const FILE = "home/.knack/token";

describe("interfaces HTTP: knack serve prints its address", () => {
  it("for a person with a link that carries the token in its fragment, the page last", async () => {
    using folder = makeProject();
    const child = serve(folder, [], ["pipe", "pipe", "ignore"]);
    let text = "";
    for await (const chunk of child.stdout ?? []) {
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

/** Only root can give a file away. */
const somebodyElses = [
  "somebody else's",
  `${TOKEN}\n`,
  "belongs to another user",
  (folder: Folder) => chownSync(folder.at(FILE), 54_321, 54_321),
] satisfies [string, string, string, (folder: Folder) => void];

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

  it.each<[string, object | string, string, ((folder: Folder) => void)?]>([
    ["a link", { link: "../../elsewhere" }, "a symbolic link"],
    ["no token", "two words\n", "contains no valid token"],
    ["too large", "x".repeat(5_000), "cannot be used as the token file"],
    [
      "a second name of another",
      "",
      "more than one hard link",
      (folder) => {
        rmSync(folder.at(FILE));
        linkSync(folder.at("elsewhere"), folder.at(FILE));
      },
    ],
    [
      "a folder",
      "",
      "cannot be used as the token file (a folder)",
      (folder) => {
        rmSync(folder.at(FILE));
        mkdirSync(folder.at(FILE));
      },
    ],
    ...(process.getuid?.() === 0 ? [somebodyElses] : []),
  ])("is refused where the file is %s", (_name, spec, message, change) => {
    using folder = makeProject({ elsewhere: `${TOKEN}\n`, [FILE]: spec as string });
    for (const file of ["elsewhere", FILE]) if (typeof spec === "string") chmodSync(folder.at(file), 0o600);
    change?.(folder);
    const { code, stderr } = knack(folder, ["serve", "--port", "0"]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain("remove it");
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
  it.each([
    ["where it listens", ["--host", "0.0.0.0"], "", 2],
    ["its configuration", [], "skills: 1\n", 1],
  ] as const)(
    "ends when %s is refused, also while its standard input stays open",
    async (_, args, config, code) => {
      using folder = makeProject({ "home/.knack/config.yaml": config });
      const child = serve(folder, args, ["pipe", "ignore", "ignore"]);
      // A guard: the failure should not be the limit of the test.
      const guard = setTimeout(() => child.kill("SIGKILL"), 60_000);
      expect(await once(child, "exit")).toEqual([code, null]);
      clearTimeout(guard);
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
    expect(server.stderr).toContain(
      "note: 3 skills cannot be used: 1 skipped, 1 ineligible, 1 waiting for trust (knack trust). See why: knack doctor\n",
    );
    for (const path of ["/api/skills/good", "/api/skills/good/load", "/api/skills/good/files/SKILL.md"])
      expect((await server.get(path)).status).toBe(404);
    expect(await server.json("/api/status")).toMatchObject({ trusted: false, waiting_for_trust: 1 });
    const { nodes } = await server.json<{ nodes: { name: string }[] }>("/api/graph");
    expect(nodes.map(({ name }) => name)).toEqual(["mine"]);
    const refused = await server.post("/api/policy", { action: "disable", skill: "good" });
    expect([refused.status, await refused.text()]).toEqual([
      404,
      expect.stringContaining("1 more is hidden"),
    ]);
    expect(await (await server.get("/api/skills/good")).text()).toContain("1 more is hidden");
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
      const child = serve(folder, [], [input === "pipe" ? "pipe" : null_, "pipe", "ignore"]);
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

let folder: Folder;
let server: Server;

beforeAll(async () => {
  folder = makeProject({
    "bin/xdg-open": '#!/bin/sh\nprintf "%s\\n" "$@" > "$OPENED"\n',
  });
  chmodSync(folder.at("bin/xdg-open"), 0o755);
  server = await Server.start(folder);
});
afterAll(async () => {
  await server.end();
  folder[Symbol.dispose]();
});

const open = (args: readonly string[], env: NodeJS.ProcessEnv = {}, port = server.port): Outcome =>
  program(folder, ["open", "--port", String(port), ...args], {
    env: { PATH: `${folder.at("bin")}:${process.env.PATH}`, OPENED: folder.at("opened"), ...env },
  });

describe("knack open", () => {
  it("prints the link where there is no screen, or with --print", () => {
    const link = `${server.url}/#token=${server.token}\n`;
    expect(open([]).stdout).toBe(link);
    expect(open(["--print"], { DISPLAY: ":1" }).stdout).toBe(link);
    expect(existsSync(folder.at("opened"))).toBe(false);
  });

  it.runIf(process.platform === "linux")(
    "opens the page in the browser, and gives no program the token as an argument",
    async () => {
      const { stdout, code } = open([], { DISPLAY: ":1" });
      expect(code).toBe(0);
      expect(stdout).toContain(`Opened ${server.url}`);
      await expect.poll(() => existsSync(folder.at("opened"))).toBe(true);
      const file = folder.at("home/.knack/open.html");
      await expect.poll(() => readFileSync(folder.at("opened"), "utf8")).toBe(`${file}\n`);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, "utf8")).toContain(`0;url=${server.url}/#token=${server.token}"`);
      expect(stdout).not.toContain(server.token);
    },
  );

  it("keeps a token of the environment out of files", () => {
    const outcome = open(["--json"], { DISPLAY: ":1", KNACK_TOKEN: server.token });
    expect(outcome.json()).toEqual({ url: server.url, opened: false, token_file: null });
  });

  it("says how to start a server where none answers, and what is wrong with the one that does", () => {
    const gone = open([], {}, 1);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("knack serve --port 1")]);
    expect(open([], { KNACK_TOKEN: "another-token-of-mine" }).stderr).toContain(
      "refuses the token of KNACK_TOKEN",
    );
    expect(open(["--port", "x"]).stderr).toContain("--port takes a number");
  });

  it("says whose skills the server shows, where that is another project", () => {
    folder.write({ "other/.git/": "" });
    expect(open(["--print", "--cwd", folder.at("other")]).stderr).toContain(folder.at("repo"));
    expect(open(["--print"]).stderr).toBe("");
  });
});
