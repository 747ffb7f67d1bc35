import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { addAccessToken } from "../../packages/engine/src/store/access/access-tokens.ts";
import { openSqlite } from "../../packages/engine/src/store/sqlite/sqlite.ts";
import { storeOn } from "../../packages/engine/src/store/testing/example-run.ts";
import { knack as called, program as knack, REPO } from "../cli/run.ts";
import { stateOf } from "../cli/typed-skills.ts";
import { hostileDatabase } from "./hostile-database.ts";

const OLD_STATE = join(
  import.meta.dirname,
  "../../packages/engine/src/store/testing/fixtures/state-0.1.0.db",
);

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
    const input = INPUTS[args[0] ?? ""];
    const outcome = called(folder, args, { env, ...(input === undefined ? {} : { input }) });
    return { ...outcome, args: args.join(" ") };
  });
}

describe("product: a stranger's project is read, never believed: links at Knack's own paths", () => {
  const links: Readonly<Record<string, Parameters<typeof makeFolder>[0]>> = {
    ".knack to .ssh": { "repo/.knack": { link: "../home/.ssh" } },
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
  for (const trust of ["", "all"])
    it(`no command opens or changes it${trust && ", also once it is trusted"}`, () => {
      using folder = makeClone();
      hostileDatabase(folder.at("repo/.knack/state.db"));
      const before = contentOf(folder.at("repo/.knack"));
      for (const { args, code, stdout, stderr } of runAll(folder, { KNACK_TRUST: trust })) {
        expect([args, code === 0 || code === 1], stderr).toEqual([args, true]);
        expect(stdout).not.toContain("FORGED");
        if (args === "plan status plan.yaml") expect(stdout).toContain("WAITING_APPROVAL");
      }
      expect(contentOf(folder.at("repo/.knack"))).toEqual(before);
    });

  it("one line says how it is taken over, in a trusted project without a state of its own", () => {
    using folder = makeClone();
    hostileDatabase(folder.at("repo/.knack/state.db"));
    expect(knack(folder, ["runs"]).stderr).not.toContain("state.db");
    knack(folder, ["trust", "--yes"]);
    expect(knack(folder, ["runs"]).stderr.match(/state\.db.*knack store migrate/g)).toHaveLength(1);
    knack(folder, ["plan", "apply", "plan.yaml"]);
    expect(knack(folder, ["runs"]).stderr).not.toContain("state.db");
  });
});

describe("interfaces: where the state of a project lives", () => {
  it("in the user's folder, trusted or not, with the project's name beside it", () => {
    using folder = makeClone();
    expect(knack(folder, ["plan", "apply", "plan.yaml"]).code).toBe(0);
    const file = stateOf(folder);
    expect(existsSync(folder.at("repo/.knack"))).toBe(false);
    expect(readdirSync(dirname(file))).toEqual(["project.json", "state.db"]);
    expect(JSON.parse(readFileSync(join(dirname(file), "project.json"), "utf8"))).toMatchObject({
      path: folder.at("repo"),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    const log = () => knack(folder, ["audit", "export"]).stdout;
    const before = log();
    for (const decision of ["--yes", "--revoke"]) {
      expect(knack(folder, ["trust", decision]).code).toBe(0);
      expect(log()).toBe(before);
      expect(existsSync(folder.at("repo/.knack"))).toBe(false);
    }
    const { stdout, stderr } = knack(folder, ["audit"]);
    expect(stdout).toContain("sign");
    for (const text of [stderr, knack(folder, ["doctor"]).stdout, knack(folder, ["audit", "verify"]).stderr])
      expect(text).toContain(file);
  });

  it.each(["", "all"])(
    "a file that the project's configuration names is ignored with a note (%s)",
    (trust) => {
      using folder = makeClone({ "repo/.knack/config.yaml": "store: { url: 'sqlite:data/x.db' }\n" });
      const { code, stderr } = knack(folder, ["plan", "apply", "plan.yaml"], { env: { KNACK_TRUST: trust } });
      expect([code, existsSync(folder.at("repo/data")), existsSync(stateOf(folder))]).toEqual([
        0,
        false,
        true,
      ]);
      expect(stderr).toContain('"store.url" in');
    },
  );

  it("a file that the user's own configuration names is used", () => {
    using folder = makeClone({ "home/.knack/config.yaml": "store: { url: 'sqlite:~/data/x.db' }\n" });
    expect(knack(folder, ["plan", "apply", "plan.yaml"]).code).toBe(0);
    expect([existsSync(folder.at("home/data/x.db")), existsSync(stateOf(folder))]).toEqual([true, false]);
  });

  it("store migrate moves the history of a folder that was renamed", () => {
    using folder = makeClone();
    // Each call of `knack` makes `repo/`, so the folder that disappears has another name.
    renameSync(folder.at("repo"), folder.at("first"));
    const before = { cwd: "first" };
    knack(folder, ["plan", "apply", "plan.yaml"], before);
    const old = stateOf(folder, "first");
    const log = knack(folder, ["audit", "export"], before).stdout;
    renameSync(folder.at("first"), folder.at("renamed"));
    const there = { cwd: "renamed" };
    expect(knack(folder, ["audit", "export"], there).stdout).not.toBe(log);
    const { code, stdout, stderr } = knack(folder, ["store", "migrate", "../never-there"], there);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("does not exist");
    expect(knack(folder, ["store", "migrate", "../first"], there)).toMatchObject({ code: 0 });
    expect(knack(folder, ["audit", "export"], there).stdout).toBe(log);
    expect(knack(folder, ["audit", "verify"], there).code).toBe(0);
    expect([existsSync(old), existsSync(stateOf(folder, "renamed"))]).toEqual([false, true]);
  });

  it("store migrate takes a database of Knack 0.1.0 over, without the tokens that others may know", async () => {
    using folder = makeClone();
    copyFileSync(OLD_STATE, join(mkdirSync(folder.at("repo/.knack"), { recursive: true }) ?? "", "state.db"));
    const db = await openSqlite(folder.at("repo/.knack/state.db"));
    await addAccessToken(storeOn(db), { name: "mallory", role: "owner" });
    await db.close();
    expect(knack(folder, ["store", "migrate", ".knack/state.db"])).toMatchObject({ code: 0 });
    expect(JSON.parse(knack(folder, ["runs", "--json"]).stdout).runs).toHaveLength(9);
    const { tokens } = JSON.parse(knack(folder, ["token", "list", "--json"]).stdout);
    expect(tokens).toMatchObject([{ name: "mallory", revoked_at: expect.any(String) }]);
    expect(knack(folder, ["audit", "verify"]).code).toBe(0);
  });
});
