import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { keptMemory } from "./kept-memory.ts";
import { makeSkill, outputOf, SOME_LEVELS } from "./make-skill.ts";

describe.each(SOME_LEVELS)("a function in a process of its own (%s)", (level) => {
  it("gets its context, reads its inputs, writes its artifacts, and its result comes back", async () => {
    using skill = makeSkill(`
      import { readFileSync, writeFileSync } from "node:fs";
      import { helper } from "./helper.mjs";
      export async function run({ inputs, params, artifactsDir, taskId, signal, log }) {
        const text = readFileSync(inputs[0].path, "utf8");
        writeFileSync(artifactsDir + "/out.txt", text + params.more);
        log("wrote it");
        return { text, taskId, helper, aborted: signal.aborted, inside: process.cwd() === artifactsDir };
      }`);
    const result = await skill.run({
      level,
      params: { more: " wörld 漢字 🙂" },
      files: { "project/skills/impl/helper.mjs": "export const helper = '\u{1F680} 漢字';" },
    });
    expect(result).toMatchObject({ ok: true, isolation: level, log: "wrote it\n" });
    expect(outputOf(result)).toEqual({
      text: "hello",
      taskId: "adhoc",
      helper: "🚀 漢字",
      aborted: false,
      inside: true,
    });
    expect(readFileSync(skill.folder.at("artifacts/out.txt"), "utf8")).toBe("hello wörld 漢字 🙂");
  });

  it("may be TypeScript or CommonJS", async () => {
    using typed = makeSkill(
      "export const run = (context: { taskId: string }): object => ({ id: context.taskId });",
      "ts",
    );
    expect(outputOf(await typed.run({ level }))).toEqual({ id: "adhoc" });
    using common = makeSkill("module.exports = { ['ru' + 'n']: () => 1 };", "cjs");
    expect(outputOf(await common.run({ level }))).toBe(1);
  });

  it("may print garbage and 100 MB without harm to its result, and the log keeps head and tail", async () => {
    using skill = makeSkill(`
      import { writeSync } from "node:fs";
      export function run() {
        writeSync(1, "the beginning\\n");
        writeSync(1, Buffer.from([0, 255, 254, 128, 10]));
        const block = Buffer.alloc(1024 * 1024, "x");
        for (let i = 0; i < 100; i += 1) writeSync(i % 2 + 1, block);
        writeSync(2, "\\nthe end\\n");
        return { ok: true };
      }`);
    const before = keptMemory();
    const lines: string[] = [];
    const result = await skill.run({
      level,
      limits: { maxLogBytes: 10_000 },
      onLog: (line) => lines.push(line),
    });
    expect(outputOf(result)).toEqual({ ok: true });
    expect(result.log.length).toBeLessThan(11_000);
    expect(result.log).toMatch(/^the beginning\n/);
    expect(result.log).toMatch(/bytes omitted …\n/);
    expect(result.log).toMatch(/\nthe end\n$/);
    expect(lines[0]).toBe("the beginning");
    expect(lines.join("").length).toBeLessThan(30_000);
    expect(keptMemory() - before).toBeLessThan(50 * 1024 ** 2);
  });

  it("fails clearly with a result of 100 MB, and the host keeps none of it", async () => {
    using skill = makeSkill("export const run = () => ({ text: 'x'.repeat(100 * 1024 ** 2) });");
    const before = keptMemory();
    expect(await skill.run({ level })).toMatchObject({
      ok: false,
      code: "SKILL_BAD_OUTPUT",
      message: "run: the result has more than 8388608 bytes",
    });
    expect(keptMemory() - before).toBeLessThan(50 * 1024 ** 2);
  });

  it.each([
    ["undefined", "undefined", "the result cannot be returned as JSON: it is undefined"],
    ["a BigInt", "({ a: [1n] })", "a[0] cannot be returned as JSON: it is a bigint"],
    [
      "a cycle",
      "(() => { const a = {}; a.b = { a }; return a; })()",
      "b.a cannot be returned as JSON: it is part of itself",
    ],
    ["a function", "({ a: () => 1 })", "a cannot be returned as JSON: it is a function"],
    ["a number that is none", "({ a: 0 / 0 })", "a cannot be returned as JSON: it is NaN"],
    ["a toJSON", "({ toJSON: () => ({ status: 'SUCCEEDED' }) })", "toJSON"],
    ["a Date", "({ when: new Date(0) })", "when cannot be returned as JSON: it is an object of class Date"],
    ["a Map", "({ a: new Map() })", "a cannot be returned as JSON: it is an object of class Map"],
    ["a getter that throws", "({ get a() { throw new Error('boo'); } })", "boo"],
    ["a proxy without end", "new Proxy([], { get: (t, k) => k === 'length' ? 1e12 : 'x' })", "more than"],
    [
      "too much depth",
      "(() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a; })()",
      "200 deep",
    ],
  ])("refuses %s as a result, and says where it is", async (_name, expression, message) => {
    using skill = makeSkill(`export const run = () => ${expression};`);
    const result = await skill.run({ level, limits: { maxResultBytes: 100_000 } });
    expect(result).toMatchObject({
      ok: false,
      code: "SKILL_BAD_OUTPUT",
      message: expect.stringContaining(message),
    });
  });

  it("gives back JSON of any shape as it stands, hostile keys included", async () => {
    using skill = makeSkill(
      `export const run = () => JSON.parse('[null, {"__proto__": {"x": 1}, "": "\\\\ud800"}, -0.5]');`,
    );
    expect(JSON.stringify(outputOf(await skill.run({ level })))).toBe(
      '[null,{"__proto__":{"x":1},"":"\\ud800"},-0.5]',
    );
  });

  it("cannot forge a result by writing to the channel itself", async () => {
    using skill = makeSkill(`
      import { writeSync } from "node:fs";
      export const run = () => { writeSync(3, '{"status":"SUCCEEDED"}'); return 1; };`);
    expect(await skill.run({ level })).toMatchObject({ ok: false, code: "SKILL_BAD_OUTPUT" });
  });

  it("may have its folders inside the project's .knack, of which it sees nothing else", async () => {
    using skill = makeSkill(`
      import { readdirSync, readFileSync, writeFileSync } from "node:fs";
      export function run({ inputs, artifactsDir, params }) {
        writeFileSync("out", readFileSync(inputs[0].path));
        try { return readFileSync(params.state, "utf8"); } catch (error) { return error.code; }
      }`);
    const at = (name: string): string => skill.folder.at("project/.knack/runs/1", name);
    skill.folder.write({ "project/.knack/runs/1/in/a.txt": "kept", "project/.knack/runs/1/out/": "" });
    const found = await skill.run({
      level,
      inputsDir: at("in"),
      artifactsDir: at("out"),
      context: {
        inputs: [{ role: "input", kind: "FILE", path: at("in/a.txt"), sha256: "", size_bytes: 4 }],
        params: { state: skill.folder.at("project/.knack/state.db") },
        taskId: "adhoc",
      },
    });
    expect(outputOf(found)).toMatch(/^E(NOENT|RR_ACCESS_DENIED)$/);
    expect(readFileSync(at("out/out"), "utf8")).toBe("kept");
  });

  it("is held to the size of a result by bytes, and still says why it failed where that is tiny", async () => {
    using wide = makeSkill("export const run = () => '漢'.repeat(100);");
    expect(await wide.run({ level, limits: { maxResultBytes: 250 } })).toMatchObject({
      code: "SKILL_BAD_OUTPUT",
    });
    expect(outputOf(await wide.run({ level, limits: { maxResultBytes: 302 } }))).toHaveLength(100);
    using failing = makeSkill("export const run = () => { throw new Error('x'.repeat(500)); };");
    expect(await failing.run({ level, limits: { maxResultBytes: 10 } })).toMatchObject({
      code: "SKILL_FAILED",
    });
  });
});
