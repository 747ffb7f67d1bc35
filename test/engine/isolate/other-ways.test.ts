import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { attempts, hasBubblewrap, makeSkill, outputOf } from "./make-skill.ts";

const OTHER_WAYS = {
  worker:
    "const { Worker } = await import('node:worker_threads'); return await new Promise((yes, no) => new Worker(p.code, { eval: true }).on('error', no).on('exit', yes))",
  addon: "process.dlopen({ exports: {} }, '/nowhere.node')",
  wasi: "const { WASI } = await import('node:wasi'); new WASI({ version: 'preview1', preopens: { '/': '/' } })",
  inspector: "const i = await import('node:inspector'); i.open(0); i.close()",
  binding: "process.binding('fs')",
  child:
    "const { execFileSync } = await import('node:child_process'); execFileSync(process.execPath, ['--eval', p.code])",
  replaced: "process.execve(process.execPath, ['node', '--version'], {})",
  sqlite:
    "const { DatabaseSync } = await import('node:sqlite'); new DatabaseSync(p.database).exec('create table a (b)')",
  data: "return (await import('data:text/javascript,export default 1')).default",
};

describe("a skill that takes another way than its own code", () => {
  it("is denied workers, addons, WASI, the inspector, bindings, SQLite and children by Node's permission model", async () => {
    using skill = makeSkill(attempts(OTHER_WAYS));
    const params = { code: "0", database: skill.folder.at("evil.db") };
    const found = outputOf(await skill.run({ level: "node-permission", params }));
    const { data, ...denied } = found as Record<string, string>;
    for (const [attempt, what] of Object.entries(denied)) expect(what, attempt).toMatch(/^ERR_/);
    // Code in a data: URL is the skill's own code, under the same rules.
    expect(data).toBe("done: 1");
    expect(existsSync(params.database)).toBe(false);
  });

  it.skipIf(!hasBubblewrap)(
    "gets no further by any of them than the sandbox goes (needs bubblewrap)",
    async () => {
      const { replaced: _ends, ...ways } = OTHER_WAYS;
      using skill = makeSkill(attempts(ways));
      const target = skill.folder.at("project/escaped");
      const code = `require("node:fs").writeFileSync(${JSON.stringify(target)}, "x")`;
      const params = { code, database: skill.folder.at("project/evil.db") };
      const found = outputOf(await skill.run({ level: "bubblewrap", params }));
      expect(found).toMatchObject({
        worker: "EROFS",
        child: expect.not.stringMatching(/^done/),
        addon: "ERR_DLOPEN_FAILED",
      });
      expect(existsSync(target) || existsSync(params.database)).toBe(false);
    },
  );
});
