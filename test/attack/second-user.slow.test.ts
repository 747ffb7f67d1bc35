import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import { program as knack } from "../cli/run.ts";
import { makeTypedProject, stateOf } from "../cli/typed-skills.ts";
import { Server } from "../http/server.ts";

/** A uid that no account of a usual machine has. */
const OTHER = 54_321;
const ATTACKER = readFileSync(join(import.meta.dirname, "second-user-attacker.ts"), "utf8");
/** In the skill's text, its file, a run's parameters, an artifact; the skill's name and its project are secret too. */
const SECRETS = [
  "body-of-the-skill",
  "content-of-notes",
  "value-of-a-param",
  "secret-skill",
  "text-of-the-runner",
];

interface Attempt {
  readonly what: string;
  readonly status: number | string;
  readonly body: string;
}

/** Only root can start a process as another user, and that user must be able to start Node. */
function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return "only root can be another user";
  const folders = process.execPath.split("/").map((_, i, parts) => parts.slice(0, i).join("/") || "/");
  const isOpen = [...folders, process.execPath].every((path) => (statSync(path).mode & 0o001) !== 0);
  return isOpen ? undefined : `another user cannot start ${process.execPath}`;
}

const reason = whyNot();
if (reason !== undefined) console.warn(`The attack of a second user is skipped: ${reason}.`);

describe.skipIf(reason !== undefined)("quality 13: another user of the machine, against knack serve", () => {
  let folder: Folder;
  let server: Server;
  let attempts: Attempt[];
  let before: Record<string, string>;
  let after: Record<string, string>;

  beforeAll(async () => {
    folder = makeTypedProject({
      "repo/.agents/skills/secret-skill/SKILL.md": `${skillText("secret-skill")}body-of-the-skill\n`,
      "repo/.agents/skills/secret-skill/notes.md": "content-of-notes\n",
      "repo/t.liquid": "text\n",
    });
    folder.write({
      "home/.knack/config.yaml": `mcp: { tools: all }\nrunners: { default: mark, mark: { command: [sh, -c, 'echo text-of-the-runner; touch ${folder.at("repo/ran")}'] } }\npermissions: { allow: [{ tool: says }, { tool: skill_dispatch }] }\n`,
    });
    const env = { KNACK_TRUST: "all" };
    expect(knack(folder, ["run", "says", "--param", "text=value-of-a-param"], { env }).code).toBe(0);
    // The folder of the tests may be entered, the project and the home may not.
    chmodSync(folder.path, 0o711);
    for (const own of ["repo", "home"]) chmodSync(folder.at(own), 0o700);
    server = await Server.start(folder);
    const { paths } = (await (await server.get("/api/openapi.json", bearer())).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const { runs } = (await (await server.get("/api/runs", bearer())).json()) as { runs: { id: string }[] };
    // The server rewrites its index until time stamps are old enough to be reliable.
    const settled = async (): Promise<boolean> => {
      const last = before;
      await server.get("/api/skills", bearer());
      before = filesOf(folder.path);
      return isDeepStrictEqual(last, before);
    };
    await vi.waitFor(async () => expect(await settled()).toBe(true), { timeout: 100_000, interval: 500 });
    attempts = await attack({
      url: server.url,
      paths: [
        ...Object.entries(paths).flatMap(([path, methods]) =>
          Object.keys(methods).map((method) => ({
            method: method.toUpperCase(),
            path: filled(path, runs[0]?.id),
          })),
        ),
        ...["/api", "/api/none", "/mcp/", "/mcp/x", "/.well-known/oauth-protected-resource"].map((path) => ({
          method: "GET",
          path,
        })),
        ...["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"].map((method) => ({ method, path: "/api/skills" })),
      ],
      secrets: [
        folder.at("home/.knack/token"),
        folder.at("home/.knack"),
        folder.at("repo"),
        folder.at("repo/.agents/skills/secret-skill/SKILL.md"),
        stateOf(folder),
        `/proc/${server.process.pid}/environ`,
      ],
      wrong: wrongTokens(server.token),
    });
    after = filesOf(folder.path);
  });
  afterAll(async () => {
    await server?.end();
    folder?.[Symbol.dispose]();
  });

  const bearer = (): Record<string, string> => ({ Authorization: `Bearer ${server.token}` });

  it("tries every route of the description, every method of three revisions", () => {
    expect(attempts.length).toBeGreaterThan(150);
    for (const told of [
      "GET /api/events",
      "POST /api/run",
      "2025-06-18 tools/call",
      "2026-07-28 skills/list",
    ])
      expect(
        attempts.some(({ what }) => what.startsWith(told)),
        told,
      ).toBe(true);
  });

  it("cannot read the token, the project or the environment of the server", () => {
    const reads = attempts.filter(({ what }) => what.startsWith("read "));
    expect(reads.length).toBeGreaterThan(10);
    expect(reads.filter(({ status }) => status === "read")).toEqual([]);
  });

  it("is let in nowhere: each answer is a refusal, but for the page's own files", () => {
    const open = attempts.filter(
      ({ what, status }) => typeof status === "number" && ![401, 429].includes(status) && !isPage(what),
    );
    expect(open.map(({ what, status }) => `${what}: ${status}`)).toEqual([]);
    expect(attempts.filter(({ status }) => status === "none")).toEqual([]);
  });

  it("is told by each refusal what to do", () => {
    for (const { what, status, body } of attempts)
      if (status === 401 && !what.startsWith("HEAD")) {
        expect(body, what).toMatch(/"www-authenticate","Bearer/);
        expect(body, what).toMatch(/"code":"ACCESS_DENIED".*Authorization: Bearer.*\.knack\/token/);
      }
  });

  it("reads not one byte of skills, files, runs and parameters", () => {
    const leaks = attempts.filter(({ body }) =>
      [...SECRETS, folder.path].some((secret) => body.includes(secret)),
    );
    expect(leaks).toEqual([]);
  });

  it("runs nothing and writes nothing", () => {
    expect(existsSync(folder.at("repo/ran"))).toBe(false);
    expect(after).toEqual(before);
  });

  it("hinders nobody but itself", async () => {
    expect((await server.get("/api/skills", bearer())).status).toBe(200);
  });

  /** Runs the attacker as the other user, in a folder that everybody can read. */
  async function attack(aim: object): Promise<Attempt[]> {
    const child = spawn(
      process.execPath,
      ["--no-warnings", "--input-type=module-typescript", "-", JSON.stringify(aim)],
      { uid: OTHER, gid: OTHER, cwd: "/", env: {}, stdio: ["pipe", "pipe", "pipe"] },
    );
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.end(ATTACKER);
    const code = await new Promise((done) => child.once("close", done));
    expect([code, stderr]).toEqual([0, ""]);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Attempt);
  }
});

/** Static: contains nothing that is not in the package. */
function isPage(what: string): boolean {
  return /^(?:GET|HEAD|OPTIONS) \/, /.test(what);
}

function filled(path: string, run = "none"): string {
  const base = path.replace("/skills/{id}", "/skills/secret-skill").replace("/runs/{id}", `/runs/${run}`);
  const whole = base.replace("{path}", "notes.md").replaceAll(/\{\w+\}/g, "x");
  return /search|route/.test(whole) ? `${whole}?q=secret` : whole;
}

function wrongTokens(token: string): string[] {
  const other = [...token].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join("");
  return [
    `Bearer ${other}`,
    `bearer ${token.slice(0, -1)}`,
    `Bearer ${token}x`,
    `Bearer ${token} ${token}`,
    "Bearer ",
    `Basic ${Buffer.from(`root:${token}`).toString("base64")}`,
    token,
    "Bearer null",
    "Bearer undefined",
    `Bearer ${"x".repeat(10_000)}`,
    "Bearer %00",
    "Negotiate",
  ];
}

/** Digests of all files, except those that change when a database is only read. */
function filesOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // A server that watches its skills may rewrite its index at any moment, regardless of requests.
    if (!entry.isFile() || path.endsWith("-shm") || path.endsWith(".idx")) continue;
    found[path.slice(root.length)] = createHash("sha256").update(readFileSync(path)).digest("hex");
  }
  return found;
}
