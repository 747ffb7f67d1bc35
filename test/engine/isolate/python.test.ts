import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasBubblewrap, makeSkill, outputOf, python, SOME_PYTHON_LEVELS } from "./make-skill.ts";

describe.skipIf(!python.found).each(SOME_PYTHON_LEVELS)("a skill in Python (%s, needs python3)", (level) => {
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
