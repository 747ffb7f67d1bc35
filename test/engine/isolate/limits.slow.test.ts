import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hasBubblewrap, LEVELS, makeSkill, outputOf } from "./make-skill.ts";

/** Processes of this machine with a word in their command line. */
function processesWith(word: string): number {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(word);
    } catch {
      return false;
    }
  }).length;
}

describe.skipIf(!hasBubblewrap)("a fork bomb (needs bubblewrap)", () => {
  it("is ended at the limit of processes, and none is left", async () => {
    const word = `knack-bomb-${process.pid}`;
    using skill = makeSkill(`
      import { spawn } from "node:child_process";
      export const run = () => new Promise(() => {
        // At most eleven doublings: if the limit fails, the test machine must survive.
        const bomb = "bomb() { [ $1 -gt 11 ] && sleep 5 || { sleep 0.05; bomb $(($1 + 1)) & bomb $(($1 + 1)); }; }; bomb 1; wait";
        spawn("/bin/sh", ["-c", bomb, "${word}"], { stdio: "ignore", detached: true });
        setInterval(() => {}, 1000);
      });`);
    const result = await skill.run({ level: "bubblewrap", limits: { timeoutMs: 10_000, maxProcesses: 64 } });
    expect(result).toMatchObject({
      ok: false,
      code: "SKILL_FAILED",
      message: "run: exceeded the limit of 64 processes",
    });
    expect(processesWith(word)).toBe(0);
  });

  it("of a thousand workers is ended by memory, time or their number", async () => {
    using skill = makeSkill(`
      import { Worker } from "node:worker_threads";
      export const run = () => new Promise((_, reject) => {
        for (let i = 0; i < 1_000; i += 1) new Worker("setInterval(() => {}, 1000)", { eval: true }).on("error", reject);
      });`);
    const result = await skill.run({ level: "bubblewrap", limits: { timeoutMs: 4000, memoryMb: 300 } });
    expect(result).toMatchObject({ ok: false, code: expect.stringMatching(/SKILL_(FAILED|TIMEOUT)/) });
  });
});

describe.each(LEVELS)("memory without end (%s)", (level) => {
  it.each([
    ["a heap that grows", "const all = []; for (;;) all.push({ a: [all.length] });"],
    [
      "buffers, which the heap does not count",
      "const all = []; for (let i = 0; i < 10; i += 1) { all.push(Buffer.alloc(50e6, 1)); await new Promise((done) => setTimeout(done, 100)); } return 1;",
    ],
  ])("is ended: %s", async (_name, body) => {
    using skill = makeSkill(`export async function run() { ${body} }`);
    const result = await skill.run({ level, limits: { memoryMb: 128 } });
    expect(result).toMatchObject({
      ok: false,
      code: "SKILL_FAILED",
      message: expect.stringMatching(/memory/),
    });
  });
});

describe.each(LEVELS)("a full disk (%s)", (level) => {
  it.each([
    [
      "one file of 10 GiB",
      "const f = fs.openSync('big', 'w'); const b = Buffer.alloc(1 << 20); for (let i = 0; i < 10240; i += 1) fs.writeSync(f, b);",
      /EFBIG|limit of \d+ bytes of artifacts/,
    ],
    [
      "many files",
      "for (let i = 0; i < 100; i += 1) { fs.writeFileSync('f' + i, Buffer.alloc(8e6)); await new Promise((done) => setTimeout(done, 20)); }",
      /limit of \d+ bytes of artifacts/,
    ],
    [
      "too much at the last moment",
      "for (let i = 0; i < 4; i += 1) fs.writeFileSync('f' + i, Buffer.alloc(15e6)); return 1;",
      /limit of \d+ bytes of artifacts/,
    ],
  ])("is not made: %s", async (_name, body, message) => {
    using skill = makeSkill(`import fs from "node:fs"; export async function run() { ${body} }`);
    const result = await skill.run({ level, limits: { maxArtifactBytes: 50e6 } });
    expect(result).toMatchObject({
      ok: false,
      code: "SKILL_FAILED",
      message: expect.stringMatching(message),
    });
    writeFileSync(skill.folder.at("after"), "there is room");
  });
});

it("a million small files are not made", async () => {
  using skill = makeSkill(
    `import fs from "node:fs"; export const run = () => { for (let i = 0; i < 1e6; i += 1) fs.writeFileSync("f" + i, ""); };`,
  );
  const result = await skill.run({ level: "node-permission", limits: { timeoutMs: 40_000 } });
  expect(result).toMatchObject({
    code: "SKILL_FAILED",
    message: expect.stringMatching(/limit of \d+ artifact files/),
  });
});

describe.concurrent("the load limit", () => {
  it("ends a load that is still busy after five seconds", async () => {
    using skill = makeSkill(
      "setInterval(() => {}, 1000); await new Promise(() => {}); export const run = () => 1;",
    );
    expect(await skill.run()).toMatchObject({
      ok: false,
      code: "SKILL_FAILED",
      message: "run: could not be loaded within 5 s",
    });
  });
});

describe.each(LEVELS)("the time limit and cancellation (%s)", (level) => {
  it("end a busy loop", async () => {
    using skill = makeSkill("export function run() { for (;;); }");
    expect(await skill.run({ level, limits: { timeoutMs: 500 } })).toMatchObject({
      ok: false,
      code: "SKILL_TIMEOUT",
      message: "run: timed out after 0.5 s",
    });
  });

  it("tell the function by its signal, which has a moment to tidy up", async () => {
    using skill = makeSkill(`
      import { writeFileSync } from "node:fs";
      export const run = ({ signal, log }) => new Promise(() => {
        setInterval(() => {}, 1000);
        signal.addEventListener("abort", () => writeFileSync("tidied", ""));
        log("ready");
      });`);
    const controller = new AbortController();
    const result = await skill.run({ level, signal: controller.signal, onLog: () => controller.abort() });
    expect(result).toMatchObject({ ok: false, code: "SKILL_INTERRUPTED" });
    expect(existsSync(skill.folder.at("artifacts/tidied"))).toBe(true);
  });

  it("hold before the start and while the process starts", async () => {
    using skill = makeSkill("export const run = () => 1;");
    expect(await skill.run({ level, signal: AbortSignal.abort() })).toMatchObject({
      code: "SKILL_INTERRUPTED",
    });
    for (const delay of [0, 1, 5, 20]) {
      const result = await skill.run({ level, signal: AbortSignal.timeout(delay) });
      if (!result.ok) expect(result.code).toBe("SKILL_INTERRUPTED");
    }
  });
});

describe.skipIf(!hasBubblewrap).concurrent("descendants that detach themselves (needs bubblewrap)", () => {
  const spawnDetached = `
    import { spawn } from "node:child_process";
    const later = () => {
      const script = "(setsid nohup sh -c 'sleep 2; echo late > late; sleep 30' >/dev/null 2>&1 &)";
      spawn("/bin/sh", ["-c", script], { detached: true, stdio: "ignore", env: { PATH: process.env.PATH } }).unref();
      return new Promise((done) => setTimeout(done, 200));
    };`;
  it.each([
    ["returns", "export async function run() { await later(); return 1; }", true],
    ["is over time", "export async function run() { await later(); for (;;); }", "SKILL_TIMEOUT"],
    ["exits", "export async function run() { await later(); process.exit(0); }", "SKILL_FAILED"],
  ])("are gone when the function %s", async (_name, body, expected) => {
    using skill = makeSkill(spawnDetached + body);
    const result = await skill.run({ level: "bubblewrap", limits: { timeoutMs: 1000 } });
    if (result.ok) expect(expected).toBe(true);
    else expect(result.code).toBe(expected);
    await new Promise((done) => setTimeout(done, 2000));
    expect(existsSync(skill.folder.at("artifacts/late"))).toBe(false);
    if (result.ok) expect(outputOf(result)).toBe(1);
  });
});
