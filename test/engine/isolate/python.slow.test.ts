import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeSkill, outputOf, python, SOME_PYTHON_LEVELS } from "./make-skill.ts";

const isLinux = process.platform === "linux";

describe.skipIf(!python.found).each(SOME_PYTHON_LEVELS)("a skill in Python (%s, needs python3)", (level) => {
  it.each([
    ["raises at import", "raise ValueError('boo')", "SKILL_FAILED", "could not be loaded: ValueError: boo"],
    ["exits at import", "import sys; sys.exit(0)", "SKILL_FAILED", "it called sys.exit(0)"],
    ["has no function", "walk = 1", "SKILL_FAILED", "it has no function run"],
    ["is no Python", "def run(", "SKILL_FAILED", "SyntaxError"],
    ["raises", "def run(ctx): raise KeyError('x')", "SKILL_FAILED", "failed: KeyError: 'x'"],
    ["ends at once", "import os\ndef run(ctx): os._exit(0)", "SKILL_FAILED", "exited with code 0"],
    ["crashes", "import os\ndef run(ctx): os.abort()", "SKILL_FAILED", "crashed (SIGABRT)"],
    [
      "returns a set",
      "def run(ctx): return {'a': [set()]}",
      "SKILL_BAD_OUTPUT",
      "a[0] cannot be returned as JSON: it is an object of class set",
    ],
    [
      "returns a cycle",
      "def run(ctx):\n a = []; a.append(a)\n return a",
      "SKILL_BAD_OUTPUT",
      "part of itself",
    ],
    [
      "returns NaN",
      "def run(ctx): return float('nan')",
      "SKILL_BAD_OUTPUT",
      "the result cannot be returned as JSON: it is nan",
    ],
    ["returns a huge number", "def run(ctx): return 10 ** 400", "SKILL_BAD_OUTPUT", "return it as a string"],
    [
      "returns 100 MB",
      "def run(ctx): return 'x' * 100_000_000",
      "SKILL_BAD_OUTPUT",
      "more than 8388608 bytes",
    ],
    [
      "writes to the channel",
      "import os\ndef run(ctx): os.write(3, b'{}'); return 1",
      "SKILL_BAD_OUTPUT",
      "descriptor 3",
    ],
    [
      "floods the channel",
      "import os\ndef run(ctx):\n while True: os.write(3, b'x' * 65536)",
      "SKILL_BAD_OUTPUT",
      "descriptor 3",
    ],
  ])("fails clearly: %s", async (_name, code, expected, message) => {
    using skill = makeSkill(code, "py");
    expect(await skill.run({ level })).toMatchObject({
      ok: false,
      code: expected,
      message: expect.stringContaining(message),
    });
  });

  it.skipIf(!isLinux)(
    "leaves no descendant behind, by double fork and a session of its own neither",
    async () => {
      using skill = makeSkill(
        `import os, time
def run(ctx):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1.5)
            open("late", "w").close()
        os._exit(0)
    return 1`,
        "py",
      );
      expect(outputOf(await skill.run({ level }))).toBe(1);
      await new Promise((done) => setTimeout(done, 1800));
      expect(existsSync(skill.folder.at("artifacts/late"))).toBe(false);
    },
  );

  it("is ended at its memory, its time and by cancellation", async () => {
    using hungry = makeSkill(
      "def run(ctx):\n    a = []\n    while True: a.append(bytearray(10_000_000))",
      "py",
    );
    const memory = await hungry.run({ level, limits: { memoryMb: 100 } });
    expect(memory).toMatchObject({
      ok: false,
      code: "SKILL_FAILED",
      message: expect.stringMatching(/memory/i),
    });
    using busy = makeSkill("def run(ctx):\n    while True: pass", "py");
    expect(await busy.run({ level, limits: { timeoutMs: 500 } })).toMatchObject({ code: "SKILL_TIMEOUT" });
    expect(await busy.run({ level, signal: AbortSignal.timeout(300) })).toMatchObject({
      code: "SKILL_INTERRUPTED",
    });
  });
});
