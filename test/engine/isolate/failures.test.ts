import { describe, expect, it } from "vitest";
import { makeSkill, outputOf, SOME_LEVELS } from "./make-skill.ts";

describe.each(SOME_LEVELS)("a module that cannot be loaded (%s)", (level) => {
  it.each([
    ["throws at import", "throw new Error('boo');", "could not be loaded: Error: boo"],
    ["awaits for ever", "await new Promise(() => {}); export const run = 1;", "promise that never settles"],
    ["calls process.exit(0)", "process.exit(0);", "exited with code 0 while it was loading"],
    [
      "exports no such function",
      "export const walk = () => 1, b = 2;",
      "no function run; its exports are: b, walk",
    ],
    ["exports another shape", "export const run = { call: 1 };", "it exports no function run"],
    ["exports nothing", "", "it exports nothing"],
    ["is no JavaScript", "export const = ;", "SyntaxError"],
    ["imports what is not there", "import 'not-installed';", "not-installed"],
    ["throws nothing sayable", "throw { toString() { throw 1; } };", "cannot be shown"],
  ])("fails clearly: %s", async (_name, code, message) => {
    using skill = makeSkill(code);
    const result = await skill.run({ level });
    expect(result).toMatchObject({ ok: false, code: "SKILL_FAILED", isolation: level });
    expect(result).toHaveProperty("message", expect.stringContaining(message));
  });
});

describe.concurrent("the load limit", () => {
  it("is the time limit where that is shorter", async () => {
    using skill = makeSkill("for (;;);");
    expect(await skill.run({ limits: { timeoutMs: 700 } })).toMatchObject({
      ok: false,
      code: "SKILL_TIMEOUT",
    });
  });
});

describe.each(SOME_LEVELS)("a function that does not return (%s)", (level) => {
  it.each([
    ["throws", "throw new TypeError('no good')", "run: failed: TypeError: no good"],
    ["rejects with nothing", "return Promise.reject()", "run: failed: threw undefined"],
    ["exits with 0", "process.exit(0)", "run: exited with code 0 before it returned a result"],
    ["exits with 3", "process.exit(3)", "run: exited with code 3 before it returned a result"],
    ["aborts", "process.abort()", "run: crashed (SIGABRT) before it returned a result"],
    [
      "crashes",
      "process.kill(process.pid, 'SIGSEGV'); for (;;);",
      "run: crashed (SIGSEGV) before it returned a result",
    ],
    [
      "throws later",
      "setTimeout(() => { throw new Error('late'); }); return new Promise(() => setInterval(() => {}, 9e3))",
      "run: failed: Error: late",
    ],
    [
      "waits for nothing",
      "return new Promise(() => {})",
      "run: failed: it awaits a promise that never settles",
    ],
  ])("fails clearly: %s", async (_name, body, message) => {
    using skill = makeSkill(`export function run() { ${body} }`);
    expect(await skill.run({ level })).toMatchObject({ ok: false, code: "SKILL_FAILED", message });
  });
});

describe("the host", () => {
  it("answers where folders or files are missing", async () => {
    using skill = makeSkill("export const run = () => 1;");
    const gone = await skill.run({ artifactsDir: skill.folder.at("nowhere") });
    expect(gone).toMatchObject({
      ok: false,
      code: "SKILL_FAILED",
      message: expect.stringContaining("ENOENT"),
    });
    const outside = await skill.run({ projectRoot: skill.folder.at("inputs") });
    expect(outside).toMatchObject({
      ok: false,
      code: "ACCESS_DENIED",
      message: expect.stringContaining("outside the project"),
    });
  });

  it("answers where the process cannot be started", async () => {
    using skill = makeSkill("export const run = () => 1;");
    // More than the system accepts as an environment.
    const env = { HUGE: "x".repeat(4 * 1024 ** 2) };
    expect(await skill.run({ env })).toMatchObject({
      ok: false,
      code: "SKILL_FAILED",
      message: expect.stringContaining("could not be started"),
    });
  });

  it("answers where the process is gone before it reads its request", async () => {
    using skill = makeSkill("export const run = () => 1;");
    const params = { text: "x".repeat(3 * 1024 ** 2) };
    expect(outputOf(await skill.run({ params }))).toBe(1);
    expect(await skill.run({ params, limits: { timeoutMs: 1 } })).toMatchObject({
      ok: false,
      code: "SKILL_TIMEOUT",
    });
  });

  it("runs eight at once, each with its own result", async () => {
    using skill = makeSkill("export const run = ({ params }) => { console.log(params.n); return params; };");
    const all = await Promise.all(Array.from({ length: 8 }, (_, n) => skill.run({ params: { n } })));
    expect(all.map((result) => [outputOf(result), result.log])).toEqual(
      Array.from({ length: 8 }, (_, n) => [{ n }, `${n}\n`]),
    );
  });

  it("survives a listener for the log that throws", async () => {
    using skill = makeSkill("export const run = () => { console.log('a'); console.log('b'); return 1; };");
    const onLog = (): void => {
      throw new Error("listener");
    };
    expect(outputOf(await skill.run({ onLog }))).toBe(1);
  });
});
