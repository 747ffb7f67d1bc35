import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import manifest from "../../packages/knack/package.json" with { type: "json" };
import { environment, HOME, knack, PROGRAM, TRUST } from "./run.ts";
import { ask, changeState, makeTypedProject, type Refusal, stateOf } from "./typed-skills.ts";

interface Verdict {
  readonly ok: boolean;
  readonly count: number;
  readonly head?: string;
  readonly seq?: number;
  readonly message?: string;
}
const verify = (folder: Folder, ...args: string[]) => ask<Verdict>(folder, ["audit", "verify", ...args]);

function makeHistory(): Folder {
  const folder = makeTypedProject();
  for (const file of ["a.md", "b.md", "a.md"]) ask(folder, ["run", "text_extract", "--input", file]);
  return folder;
}

describe("knack audit", () => {
  it("shows what was done, and where nothing was makes nothing", () => {
    using folder = makeTypedProject();
    expect(ask(folder, ["audit"]).data).toEqual({ events: [], count: 0 });
    expect(verify(folder)).toMatchObject({ code: 0, data: { ok: true, count: 0 } });
    expect(existsSync(stateOf(folder))).toBe(false);
    ask(folder, ["run", "text_extract", "--input", "a.md"]);
    const { data } = ask<{ events: { event_type: string; actor: string }[] }>(folder, ["audit"]);
    expect(data.events.map(({ event_type, actor }) => [event_type, actor])).toEqual([
      ["SKILL_RUN", "cli"],
      ["ARTIFACT_CREATED", "cli"],
    ]);
    expect(knack(folder, ["audit", "--limit", "1"]).stdout.split("\n")).toHaveLength(3);
    expect(ask<Refusal>(folder, ["audit", "--limit", "x"])).toMatchObject({ code: 2 });
  });

  it("verify holds for a log that nobody touched, and says which record somebody edited", () => {
    using folder = makeHistory();
    expect(verify(folder)).toMatchObject({ code: 0, data: { ok: true, count: 5, head: expect.any(String) } });
    expect(knack(folder, ["audit", "verify"]).stdout).toMatch(/^5 valid records\. Head [0-9a-f]{64}\n$/);
    changeState(folder, "UPDATE task_events SET payload_json = '{}' WHERE seq = 2");
    const { code, data } = verify(folder);
    expect({ code, data }).toMatchObject({ code: 1, data: { ok: false, seq: 2 } });
    const stdout = `The log is not valid: ${data.message}\n`;
    expect(knack(folder, ["audit", "verify"])).toMatchObject({ code: 1, stdout });
  });

  it("a cut tail that wrote no row holds by itself and is found by the head of an earlier export", () => {
    using folder = makeHistory();
    const lines = knack(folder, ["audit", "export"]).stdout.trimEnd().split("\n");
    const { head } = JSON.parse(lines.at(-1) ?? "") as { head: string };
    expect(verify(folder, "--head", head).code).toBe(0);
    ask(folder, ["run", "file_fingerprint", "--input", "a.md"]);
    expect(verify(folder, "--head", head)).toMatchObject({ code: 0, data: { ok: true, count: 6 } });
    // Record 5 belongs to a run that was served again and wrote no row.
    changeState(folder, "DELETE FROM task_events WHERE seq > 4");
    expect(verify(folder)).toMatchObject({ code: 1, data: { ok: false, table: "skill_runs" } });
    changeState(folder, "DELETE FROM skill_runs WHERE skill_name = 'file_fingerprint'");
    expect(verify(folder).code).toBe(0);
    expect(verify(folder, "--head", head)).toMatchObject({ code: 1, data: { ok: false, seq: 5 } });
    ask(folder, ["run", "file_fingerprint", "--input", "b.md"]);
    expect(verify(folder, "--head", head)).toMatchObject({ code: 1, data: { ok: false } });
    changeState(folder, "DELETE FROM task_events");
    expect(verify(folder, "--head", head)).toMatchObject({ code: 1, data: { ok: false, seq: 1 } });
  });

  it("export is one record a line, whatever names say, and a last line with the head", () => {
    const names = ["new\nline.md", "\u2028.md", "\u0085\u001b[2J.md", '"},{"head":"x.md', "絵文字😀.md"];
    using folder = makeTypedProject(Object.fromEntries(names.map((name, i) => [`repo/${name}`, `${i}`])));
    for (const name of names)
      expect(ask(folder, ["run", "text_extract", "--input", name]).data.status).toBe("SUCCEEDED");
    const { stdout } = knack(folder, ["audit", "export"]);
    const lines = stdout.trimEnd().split(/[\n\r\u0085\u2028\u2029]/);
    const records = lines.map((line) => JSON.parse(line));
    expect(records.slice(0, -1).map(({ seq }) => seq)).toEqual(
      Array.from({ length: lines.length - 1 }, (_, i) => i + 1),
    );
    expect(records.at(-1)).toEqual({ head: records.at(-2).hash });
    expect(stdout).not.toMatch(/[\u001b\u0085]/);
    expect(verify(folder).data.ok).toBe(true);
  });
});

describe("what the command line records", () => {
  const files = { [`${HOME}/mine/SKILL.md`]: skillText("mine", "Does what is mine.") };
  interface Recorded {
    readonly event_type: string;
    readonly actor: string;
    readonly payload: Readonly<Record<string, unknown>>;
  }
  const events = (folder: Folder) => ask<{ events: Recorded[] }>(folder, ["audit"]).data.events;
  const types = (folder: Folder) => events(folder).map(({ event_type }) => event_type);

  it("searches, loads and refusals from the first one on; looking makes no database", () => {
    using folder = makeTypedProject(files);
    for (const args of [["list"], ["show", "mine"], ["audit"], ["doctor"]]) knack(folder, args);
    expect(existsSync(stateOf(folder))).toBe(false);
    expect(knack(folder, ["search", "what is mine"])).toMatchObject({ code: 0, stderr: "1 skill fits\n" });
    expect(knack(folder, ["load", "mine"])).toMatchObject({ code: 0, stderr: "" });
    expect(knack(folder, ["disable", "mine"]).code).toBe(0);
    expect(knack(folder, ["load", "mine"]).code).toBe(1);
    expect(types(folder)).toEqual([
      "SKILL_SEARCHED",
      "PERMISSION_DECIDED",
      "SKILL_LOADED",
      "PERMISSION_DECIDED",
    ]);
    const [search, , load, refusal] = events(folder);
    const from = { by: "person", client: `knack/${manifest.version}`, conversation: expect.any(String) };
    expect(search).toMatchObject({ actor: "cli", payload: { results: ["mine"], weaker: [], ...from } });
    expect(load?.payload).toMatchObject({ name: "mine", sha256: expect.any(String), ...from });
    expect(load?.payload.conversation).not.toBe(search?.payload.conversation);
    expect(refusal?.payload).toMatchObject({ skill: "mine", allowed: false, code: "ACCESS_DENIED" });
    expect(verify(folder).data).toMatchObject({ ok: true, count: 4 });
  });

  it("keeps a digest of the words by default, the words with record: full, nothing with record: off", () => {
    using folder = makeTypedProject(files);
    const said = "what is mine";
    const search = () => knack(folder, ["search", said]);
    search();
    search();
    const [first, second] = events(folder);
    expect(first?.payload.words_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(second?.payload.words_sha256).toBe(first?.payload.words_sha256);
    expect(JSON.stringify(events(folder))).not.toContain(said);
    folder.write({ "home/.knack/config.yaml": "record: full\n" });
    search();
    knack(folder, ["load", "mine", "--args", "the words"]);
    expect(events(folder)[2]?.payload).toMatchObject({ query: said });
    expect(events(folder)[4]?.payload).toMatchObject({ name: "mine", args: "the words" });
    folder.write({ "home/.knack/config.yaml": "record: off\n" });
    search();
    expect(events(folder)).toHaveLength(5);
    expect(verify(folder).data.ok).toBe(true);
  });

  it("a project has no say against the user's off, and none at all before it is trusted", () => {
    using folder = makeTypedProject({ ...files, "repo/.knack/config.yaml": "record: full\n" });
    const untrusted = { env: { KNACK_TRUST: "none" } };
    expect(knack(folder, ["search", "mine"], untrusted).stderr).toContain("Ignored until you trust");
    expect(events(folder)[0]?.payload).not.toHaveProperty("query");
    folder.write({ "home/.knack/config.yaml": "record: off\n" });
    knack(folder, ["search", "mine"], TRUST);
    expect(events(folder)).toHaveLength(1);
  });

  it("an empty log says why, and where it would be", () => {
    using folder = makeTypedProject(files);
    expect(knack(folder, ["audit"]).stderr).toMatch(/No skill was searched for.*state\.db/);
    folder.write({ "home/.knack/config.yaml": "record: off\n" });
    knack(folder, ["search", "mine"]);
    expect(knack(folder, ["audit"])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/record is off.*state\.db/),
    });
    expect(existsSync(stateOf(folder))).toBe(false);
  });

  it.each([
    ["shell", "/skill mine\n"],
    ["rpc", '{"jsonrpc":"2.0","id":1,"method":"skills.load","params":{"name":"mine"}}\n'],
  ])("what the %s uses, under its name", (command, input) => {
    using folder = makeTypedProject(files);
    expect(knack(folder, [command], { input }).code).toBe(0);
    const used = { actor: command, event_type: "SKILL_LOADED", payload: { name: "mine" } };
    expect(events(folder).at(-1)).toMatchObject(used);
  });

  it("many processes at once lose no record, and the log holds, also where they create it", async () => {
    using folder = makeTypedProject(files);
    const run = promisify(execFile);
    const options = { cwd: folder.at("repo"), env: environment(folder) };
    const searches = Array.from({ length: 6 }, () =>
      run(process.execPath, [PROGRAM, "search", "mine"], options),
    );
    await Promise.all(searches);
    expect(verify(folder).data).toMatchObject({ ok: true, count: 6 });
  });

  it.each([
    ["a file that is no database", "home/.knack/projects", "state.db"],
    ["a folder that cannot be made", "home/.knack", "projects"],
  ])("%s keeps nobody from reading a skill, and one line says so", (_name, parent, file) => {
    using folder = makeTypedProject(files);
    const path = file === "projects" ? folder.at(parent, file) : stateOf(folder);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "not a database, but somebody's notes");
    for (const args of [
      ["search", "mine"],
      ["load", "mine"],
    ]) {
      const { code, stdout, stderr } = knack(folder, args);
      expect({ code, lines: stderr.match(/This use was not recorded: /g) }).toMatchObject({
        code: 0,
        lines: { length: 1 },
      });
      expect(stdout).toContain("mine");
    }
    expect(readFileSync(path, "utf8")).toBe("not a database, but somebody's notes");
  });

  it("a database server that is down holds up neither the answer nor the end", async () => {
    using folder = makeTypedProject({
      ...files,
      // Nothing listens there.
      "home/.knack/config.yaml": "store: { url: 'postgres://nobody@127.0.0.1:1/none' }\n",
    });
    for (const args of [
      ["search", "mine"],
      ["load", "mine"],
    ]) {
      const { code, stdout, stderr } = knack(folder, args);
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("mine") });
      expect(stderr).toContain("This use was not recorded: ");
      expect(stderr).not.toContain("Waiting for the database");
    }
  });
});

describe("knack store gc", () => {
  it("has nothing to do where artifacts are local files alone", () => {
    using folder = makeFolder({ "repo/.git/": "" });
    expect(ask(folder, ["store", "gc"]).data).toMatchObject({ removed: 0, place: null });
    expect(knack(folder, ["store", "gc"]).stdout).toContain("only in workspace/artifacts");
  });

  it.each(["0h", "59m", "x", "7", "-1d"])("refuses --older-than %s", (age) => {
    using folder = makeFolder({ "repo/.git/": "" });
    const { code, stderr } = knack(folder, ["store", "gc", `--older-than=${age}`]);
    expect(code).toBe(2);
    expect(stderr).toContain("at least 1h");
  });

  it("says what to do where artifacts.url is postgres and the store is not", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "repo/a.txt": "a",
      "home/.knack/config.yaml": "artifacts: { url: postgres }\n",
    });
    const { code, stderr } = knack(folder, ["run", "text_extract", "a.txt"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "artifacts.url: postgres needs a store in PostgreSQL. Set store.url to postgres://…",
    );
  });
});
