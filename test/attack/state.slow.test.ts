import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { knack as called, environment, program as knack, PROGRAM, REPO } from "../cli/run.ts";
import { hostileDatabase, type Trick } from "./hostile-database.ts";

const PLAN = `version: 1
plan: p
title: "ssh-rsa AAAA attacker"
tasks:
  - id: sign
    requirements:
      - { name: sign_off, kind: CONFIRMATION, required: true }
`;

/** An untrusted project, and a home with secrets. */
function makeClone(more: Parameters<typeof makeFolder>[0] = {}): Folder {
  return makeFolder({
    "repo/.git/": "",
    [`${REPO}/good/SKILL.md`]: skillText("good", "Does good. Use when asked for good work."),
    "repo/plan.yaml": PLAN,
    "repo/a.md": "# A\n",
    "home/.ssh/": "",
    ...more,
  });
}

/** Every file below a folder with its content. */
function contentOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    found[name] = stats.isFile() ? readFileSync(path, "latin1") : stats.isDirectory() ? "folder" : "other";
  }
  return found;
}

/** Each writes or reads state; for a server, standard input ends at once. */
const COMMANDS: readonly (readonly string[])[] = [
  ["plan", "status", "plan.yaml"],
  ["plan", "apply", "plan.yaml"],
  ["plan", "run", "plan.yaml"],
  ["run", "file_fingerprint", "--input", "a.md"],
  ["runs"],
  ["audit"],
  ["audit", "verify"],
  ["audit", "export"],
  ["evidence", "add", "sign", "sign_off", "--confirm"],
  ["search", "good"],
  ["load", "good"],
  ["route", "good work"],
  ["doctor"],
  ["mcp"],
  ["rpc"],
];
const INPUTS: Readonly<Record<string, string>> = {
  mcp: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n',
  rpc: '{"jsonrpc":"2.0","id":1,"method":"runs.list"}\n',
};

/** Servers as processes, the others in this one: 270 starts of the program take minutes. */
function runAll(folder: Folder, env: NodeJS.ProcessEnv = {}) {
  return COMMANDS.map((args) => {
    const started = performance.now();
    const input = INPUTS[args[0] ?? ""];
    const outcome = called(folder, args, { env, timeout: 30_000, ...(input === undefined ? {} : { input }) });
    return { ...outcome, args: args.join(" "), ms: performance.now() - started };
  });
}

describe("product: a stranger's project is read, never believed: links at Knack's own paths", () => {
  const links: Readonly<Record<string, Parameters<typeof makeFolder>[0]>> = {
    "state.db to authorized_keys": { "repo/.knack/state.db": { link: "../../home/.ssh/authorized_keys" } },
    ".knack to .ssh": { "repo/.knack": { link: "../home/.ssh" } },
    "state.db-wal to authorized_keys": {
      "repo/.knack/state.db-wal": { link: "../../home/.ssh/authorized_keys" },
    },
    "the lock to .ssh": { "repo/.knack/config.yaml.lock": { link: "../../home/.ssh" } },
  };
  for (const [name, files] of Object.entries(links))
    for (const trust of ["", "all"])
      it(`${name} writes nothing there${trust && ", also once it is trusted"}`, () => {
        using folder = makeClone(files);
        for (const { args, code, stderr } of runAll(folder, { KNACK_TRUST: trust })) {
          expect([args, readdirSync(folder.at("home/.ssh"))]).toEqual([args, []]);
          expect([args, code === 0 || code === 1], stderr).toEqual([args, true]);
          expect(stderr).not.toMatch(/\n\s+at /);
        }
      });

  it("deny --project follows no link of .knack, also once it is trusted", () => {
    for (const env of [{}, { KNACK_TRUST: "all" }])
      for (const files of [
        links[".knack to .ssh"],
        { "repo/.knack/config.yaml": { link: "../../home/.ssh/x" } },
      ]) {
        using folder = makeClone(files);
        const { code, stderr } = knack(folder, ["deny", "good", "--project"], { env });
        expect([code, readdirSync(folder.at("home/.ssh"))]).toEqual([1, []]);
        expect(stderr).toMatch(/is a symbolic link/);
      }
  });
});

describe("product: a database that came with a project is not believed", () => {
  const tricks: readonly Trick[] = [
    "forged evidence",
    "emptied log",
    "endless trigger",
    "endless view",
    "forged confirmation",
  ];
  for (const trick of tricks)
    for (const trust of ["", "all"])
      it(`${trick}: no command takes its word, hangs or changes it${trust && ", also once it is trusted"}`, () => {
        using folder = makeClone();
        hostileDatabase(folder.at("repo/.knack/state.db"), trick);
        const before = contentOf(folder.at("repo/.knack"));
        for (const { args, code, stdout, stderr, ms } of runAll(folder, { KNACK_TRUST: trust })) {
          expect([args, code === 0 || code === 1], stderr).toEqual([args, true]);
          expect([args, ms < 25_000]).toEqual([args, true]);
          expect(stdout).not.toContain("FORGED");
          if (args === "plan status plan.yaml") expect(stdout).toContain("WAITING_APPROVAL");
        }
        expect(contentOf(folder.at("repo/.knack"))).toEqual(before);
      });

  it("says in one line where the state is instead, and the next step", () => {
    using folder = makeClone();
    hostileDatabase(folder.at("repo/.knack/state.db"), "forged evidence");
    const { stderr } = knack(folder, ["runs"], { env: { KNACK_TRUST: "all" } });
    expect(stderr.match(/state\.db.*knack audit import/g)).toHaveLength(1);
  });

  it("a server with such a database ends at SIGTERM", async () => {
    using folder = makeClone();
    hostileDatabase(folder.at("repo/.knack/state.db"), "endless trigger");
    for (const args of [["mcp"], ["serve", "--port", "0"], ["rpc"]]) {
      const child = spawn(process.execPath, [PROGRAM, ...args], {
        cwd: folder.at("repo"),
        env: { ...environment(folder), KNACK_TRUST: "all" },
        stdio: ["pipe", "pipe", "pipe"],
      });
      child.stdout.resume();
      child.stderr.resume();
      child.stdin.write(INPUTS[args[0] ?? ""] ?? "\n");
      const exit = once(child, "exit");
      await new Promise((done) => setTimeout(done, 3000));
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), 15_000);
      const [code, signal] = await exit;
      clearTimeout(late);
      expect([args[0], code, signal]).toEqual([args[0], 0, null]);
    }
  });
});

describe("interfaces: where the state of a project lives", () => {
  const own = (folder: Folder): string => {
    const [key = "none"] = readdirSync(folder.at("home/.knack/projects"));
    return folder.at("home/.knack/projects", key);
  };

  it("of an untrusted project in the user's folder, with the project's name beside it", () => {
    using folder = makeClone();
    expect(knack(folder, ["plan", "apply", "plan.yaml"]).code).toBe(0);
    expect(existsSync(folder.at("repo/.knack"))).toBe(false);
    expect(readdirSync(own(folder))).toEqual(["project.json", "state.db"]);
    expect(JSON.parse(readFileSync(join(own(folder), "project.json"), "utf8"))).toMatchObject({
      path: folder.at("repo"),
    });
    expect(statSync(join(own(folder), "state.db")).mode & 0o777).toBe(0o600);
    expect(knack(folder, ["audit"]).stdout).toContain("sign");
    expect(knack(folder, ["doctor"]).stdout).toContain(own(folder));
  });

  it("of a trusted one in its .knack, which this user's Knack remembers to have made", () => {
    using folder = makeClone();
    knack(folder, ["trust", "--yes"]);
    expect(knack(folder, ["plan", "apply", "plan.yaml"])).toMatchObject({
      code: 0,
      stderr: "p was applied\n",
    });
    expect(existsSync(folder.at("repo/.knack/state.db"))).toBe(true);
    expect(existsSync(folder.at("home/.knack/projects"))).toBe(false);
    expect(knack(folder, ["audit"]).stdout).toContain("sign");
    expect(knack(folder, ["evidence", "add", "sign", "sign_off", "--confirm"]).code).toBe(0);
    expect(knack(folder, ["plan", "status", "plan.yaml"]).stdout).not.toContain("WAITING_APPROVAL");
  });

  it("store.url of an untrusted project is ignored with a note", () => {
    using folder = makeClone({ "repo/.knack/config.yaml": "store: { url: 'sqlite:data/x.db' }\n" });
    const { code, stderr } = knack(folder, ["plan", "apply", "plan.yaml"]);
    expect([code, existsSync(folder.at("repo/data"))]).toEqual([0, false]);
    expect(stderr).toContain("store");
  });

  it("history, runs and evidence go with it when the project is trusted, and back when that is revoked", () => {
    using folder = makeClone();
    knack(folder, ["plan", "apply", "plan.yaml"]);
    knack(folder, ["evidence", "add", "sign", "sign_off", "--confirm"]);
    knack(folder, ["run", "file_fingerprint", "--input", "a.md"]);
    const log = () => knack(folder, ["audit", "export"]).stdout;
    const before = log();
    expect(knack(folder, ["trust", "--yes"]).code).toBe(0);
    expect(existsSync(folder.at("repo/.knack/state.db"))).toBe(true);
    expect(log()).toBe(before);
    expect(JSON.parse(knack(folder, ["runs", "--json"]).stdout).runs).toHaveLength(1);
    expect(knack(folder, ["audit", "verify"]).code).toBe(0);
    expect(knack(folder, ["trust", "--revoke"]).code).toBe(0);
    expect(existsSync(folder.at("repo/.knack/state.db"))).toBe(false);
    expect(log()).toBe(before);
    expect(knack(folder, ["plan", "status", "plan.yaml"]).stdout).not.toContain("WAITING_APPROVAL");
  });

  it("results go with it too: what ran before is served after, and no second file is made", () => {
    using folder = makeClone();
    const run = () => {
      const { code, stdout } = knack(folder, ["run", "text_extract", "--input", "a.md", "--json"]);
      expect(code).toBe(0);
      const { id, cached, artifacts } = JSON.parse(stdout);
      return { id, cached, paths: artifacts.map((artifact: { path: string }) => artifact.path) };
    };
    const first = run();
    expect(first).toMatchObject({ cached: false, paths: [expect.any(String)] });
    const made = () => readdirSync(dirname(folder.at(`repo/${first.paths[0]}`)));
    const before = made();
    for (const decision of ["--yes", "--revoke"]) {
      expect(knack(folder, ["trust", decision]).code).toBe(0);
      expect(run()).toEqual({ ...first, cached: true });
      expect(made()).toEqual(before);
    }
  });

  it("a database is one's own where its Knack made it: not as a copy, not with another mode", () => {
    using folder = makeClone();
    knack(folder, ["trust", "--yes"]);
    knack(folder, ["plan", "apply", "plan.yaml"]);
    using other = makeClone();
    knack(other, ["trust", "--yes"]);
    mkdirSync(other.at("repo/.knack"), { recursive: true });
    writeFileSync(other.at("repo/.knack/state.db"), readFileSync(folder.at("repo/.knack/state.db")), {
      mode: 0o600,
    });
    expect(knack(other, ["audit"]).stderr).toContain("knack audit import");
  });

  it("audit import revokes the access tokens of a database that somebody else made", () => {
    using folder = makeClone();
    const env = { HOME: folder.at("elsewhere"), KNACK_TRUST: "all" };
    expect(knack(folder, ["token", "add", "mallory", "--role", "owner"], { env }).code).toBe(0);
    knack(folder, ["trust", "--yes"]);
    expect(knack(folder, ["token", "list", "--json"]).stdout).not.toContain("mallory");
    expect(knack(folder, ["audit", "import"]).code).toBe(0);
    const { tokens } = JSON.parse(knack(folder, ["token", "list", "--json"]).stdout);
    expect(tokens).toMatchObject([{ name: "mallory", revoked_at: expect.any(String) }]);
    expect(knack(folder, ["audit", "verify"]).code).toBe(0);
  });

  it("audit import takes a database over whose log holds, and keeps the old file; a forged one is refused", () => {
    using folder = makeClone();
    const env = { HOME: folder.at("elsewhere"), KNACK_TRUST: "all" };
    knack(folder, ["plan", "apply", "plan.yaml"], { env });
    const log = knack(folder, ["audit", "export"], { env }).stdout;
    expect(log).toContain("STATUS_CHANGED");
    knack(folder, ["trust", "--yes"]);
    expect(knack(folder, ["audit", "export"]).stdout).not.toBe(log);
    const done = knack(folder, ["audit", "import", "--json"]);
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(knack(folder, ["audit", "export"])).toMatchObject({ code: 0, stdout: log, stderr: "" });
    expect(
      readdirSync(folder.at("repo/.knack")).filter((name) => /^state\.db\.before-/.test(name)),
    ).toHaveLength(1);
    for (const trick of ["forged evidence", "emptied log", "endless trigger", "endless view"] as const) {
      using other = makeClone();
      hostileDatabase(other.at("repo/.knack/state.db"), trick);
      knack(other, ["trust", "--yes"]);
      const { code, stderr } = knack(other, ["audit", "import"]);
      expect([trick, code], stderr).toEqual([trick, 1]);
      expect(stderr).toMatch(/schema|was not imported/);
    }
  });
});
