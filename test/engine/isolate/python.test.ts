import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFullSuite } from "../../../packages/core/src/shared/testing/cases.ts";
import type { Isolation } from "../../../packages/engine/src/isolate/execution.ts";
import { pythonHere } from "../../../packages/engine/src/isolate/loaders/python.ts";
import { hasBubblewrap, makeSkill, outputOf } from "./make-skill.ts";

const python = await pythonHere();
const LEVELS: Isolation[] = hasBubblewrap ? ["bubblewrap", "none"] : ["none"];
const SOME_LEVELS = isFullSuite ? LEVELS : LEVELS.slice(0, 1);
const isLinux = process.platform === "linux";

describe.skipIf(!python.found).each(SOME_LEVELS)("a skill in Python (%s, needs python3)", (level) => {
  it("gets a dict, reads its inputs, writes its artifacts, prints, and its result comes back", async () => {
    using skill = makeSkill(
      `import hashlib, os
from skills.impl.helper import word
from . import helper
import helper as same
def run(ctx):
    text = open(ctx["inputs"][0]["path"]).read() + ctx["params"]["more"]
    with open(os.path.join(ctx["artifactsDir"], "out.txt"), "w") as out:
        out.write(text)
    print("printed")
    ctx["log"]("logged")
    return {"text": text, "word": word, "task": ctx["taskId"], "tuple": (1, 2.5, None, True)}`,
      "py",
    );
    const result = await skill.run({
      level,
      params: { more: " 漢字" },
      files: { "project/skills/impl/helper.py": "word = '🚀'" },
    });
    expect(outputOf(result)).toEqual({
      text: "hello 漢字",
      word: "🚀",
      task: "adhoc",
      tuple: [1, 2.5, null, true],
    });
    expect(result).toMatchObject({ isolation: level, log: expect.stringMatching(/printed\n/) });
    expect(readFileSync(skill.folder.at("artifacts/out.txt"), "utf8")).toBe("hello 漢字");
  });

  it("runs the sources that were looked at: no compiled file beside them, nothing in place of the standard library", async () => {
    using skill = makeSkill("import helper, email.message\ndef run(ctx): return {'word': helper.word}", "py");
    skill.folder.write({ "project/skills/impl/helper.py": "word = 'other'" });
    const compile = `import py_compile; py_compile.compile("helper.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)`;
    const cwd = skill.folder.at("project/skills/impl");
    if (python.found) execFileSync(python.program, ["-I", "-c", compile], { cwd });
    expect(existsSync(join(cwd, "__pycache__"))).toBe(true);
    const files = {
      "project/skills/impl/helper.py": "word = 'source'",
      "project/quopri.py": "raise ValueError('in place of the library')",
    };
    expect(outputOf(await skill.run({ level, files }))).toEqual({ word: "source" });
  });

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

  it("may be a coroutine", async () => {
    using skill = makeSkill("async def run(ctx): return {'a': 1}", "py");
    expect(outputOf(await skill.run({ level }))).toEqual({ a: 1 });
  });

  it("sees the listed environment alone", async () => {
    using skill = makeSkill("import os\ndef run(ctx): return dict(os.environ)", "py");
    const { KNACK_RUN_MARK, PWD, LC_CTYPE, ...names } = outputOf(
      await skill.run({ level, env: { API_KEY: "k" } }),
    ) as Record<string, string>;
    expect(Object.keys(names).sort()).toEqual(["API_KEY", "HOME", "LANG", "PATH", "TMPDIR"]);
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

describe("a skill in Python without isolation", () => {
  it("runs only where the caller accepts that", async () => {
    using skill = makeSkill("def run(ctx): return 1", "py");
    const result = await skill.run({ allow: ["node-permission", "builtin"] });
    expect(result).toMatchObject({ ok: false, code: "ACCESS_DENIED", isolation: "none" });
    if (!hasBubblewrap)
      expect(result).toHaveProperty("message", expect.stringContaining("Install bubblewrap"));
  });
});

describe("a skill in JavaScript", () => {
  it("never runs without isolation", async () => {
    using skill = makeSkill("export const run = () => 1;");
    expect(await skill.run({ allow: ["none", "builtin"] })).toMatchObject({
      ok: false,
      code: "ACCESS_DENIED",
    });
  });
});
