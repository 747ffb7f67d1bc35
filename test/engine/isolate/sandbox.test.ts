import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { attempts, hasBubblewrap, LEVELS, makeSkill, outputOf } from "./make-skill.ts";

function digestOf(folder: string): string {
  const hash = createHash("sha256");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.sort((a, b) =>
    join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1,
  )) {
    const path = join(entry.parentPath, entry.name);
    hash.update(`${path}\0`).update(entry.isFile() ? readFileSync(path) : "folder");
  }
  return hash.digest("hex");
}

process.env.KNACK_TEST_SECRET = "not for skills";

describe.each(LEVELS)("a skill that writes where it may not (%s)", (level) => {
  it("changes nothing but its own artifacts folder, and does not see Knack's state", async () => {
    const name = `knack-escape-${process.pid}-${level}`;
    using skill = makeSkill(
      attempts({
        home: "fs.writeFileSync(p.home, 'x')",
        itself: "fs.appendFileSync(p.file, '// x')",
        hooks: "fs.mkdirSync(join(p.project, '.git')); fs.writeFileSync(join(p.project, '.git/hook'), 'x')",
        other: "fs.writeFileSync(p.other, 'x')",
        link: "fs.symlinkSync(p.other, 'link'); fs.writeFileSync('link', 'x')",
        inputs: "fs.writeFileSync(p.input, 'x')",
        system: "fs.writeFileSync('/etc/knack', 'x')",
        state: "return fs.readFileSync(join(p.project, '.knack/state.db'), 'utf8')",
        secrets: "return fs.readdirSync(p.homeFolder).length",
        passwords: "return fs.readFileSync('/etc/shadow', 'utf8').length",
        kernel: "fs.closeSync(fs.openSync('/proc/sys/kernel/core_pattern', 'r+'))",
        parent:
          "return fs.readFileSync('/proc/' + process.ppid + '/environ', 'utf8').includes('KNACK_TEST_SECRET')",
      }),
    );
    skill.folder.write({ "other/artifact.txt": "of another run" });
    const digests = () => ["project", "other", "inputs"].map((name) => digestOf(skill.folder.at(name)));
    const before = digests();
    const found = outputOf(
      await skill.run({
        level,
        params: {
          home: join(homedir(), name),
          homeFolder: homedir(),
          file: skill.folder.at("project/skills/impl/skill.mjs"),
          project: skill.folder.at("project"),
          other: skill.folder.at("other/artifact.txt"),
          input: skill.folder.at("inputs/a.txt"),
        },
      }),
    ) as Record<string, string>;
    expect(digests()).toEqual(before);
    expect(existsSync(join(homedir(), name))).toBe(false);
    // In its sandbox the parent is the sandbox's first process, which has no more rights.
    for (const [attempt, what] of Object.entries(found))
      expect(what, attempt).toMatch(attempt === "parent" && level === "bubblewrap" ? /false/ : /^E/);
  });

  it("has a /tmp of its own", async () => {
    const name = join(tmpdir(), `knack-tmp-${process.pid}-${level}`);
    using skill = makeSkill(
      attempts({
        outside: `fs.writeFileSync(${JSON.stringify(name)}, 'x')`,
        inside:
          "const file = join(process.env.TMPDIR, 'a'); fs.writeFileSync(file, 'x'); return fs.readFileSync(file, 'utf8')",
      }),
    );
    expect(outputOf(await skill.run({ level }))).toMatchObject({ inside: "done: x" });
    expect(existsSync(name)).toBe(false);
  });
});

describe.skipIf(!hasBubblewrap)("a skill that reaches for the network (needs bubblewrap)", () => {
  it("reaches no port, no address, no name and no socket of the machine", async () => {
    const listen = (where: string | number): Promise<Server> =>
      new Promise((done) => {
        const server = createServer(() => expect.fail("a skill got through"));
        if (typeof where === "string") server.listen(where, () => done(server));
        else server.listen(where, "127.0.0.1", () => done(server));
      });
    const connect =
      "return await new Promise((yes, no) => { const s = net.connect(WHERE, () => yes('connected')); s.on('error', no); })";
    using skill = makeSkill(
      attempts({
        loopback: connect.replace("WHERE", "p.port, '127.0.0.1'"),
        metadata: connect.replace("WHERE", "80, '169.254.169.254'"),
        internet: connect.replace("WHERE", "443, '1.1.1.1'"),
        socket: connect.replace("WHERE", "p.socket"),
        docker: connect.replace("WHERE", "'/var/run/docker.sock'"),
        name: "return (await dns.lookup('example.com')).address",
        query: "return await dns.resolve4('example.com')",
      }),
    );
    const socket = skill.folder.at("host.sock");
    const byPort = await listen(0);
    const servers = [byPort, await listen(socket)];
    const { port } = byPort.address() as { port: number };
    const found = outputOf(await skill.run({ level: "bubblewrap", params: { port, socket } }));
    for (const server of servers) server.close();
    for (const [attempt, what] of Object.entries(found as object))
      expect(what, attempt).toMatch(/^E[A-Z_]+$/);
  });
});

describe("a skill that kills the process that started it", () => {
  it.each(LEVELS)("does not (%s)", async (level) => {
    using skill = makeSkill(
      attempts({
        parent: "process.kill(process.ppid, 'SIGKILL')",
        host: "process.kill(p.pid, 'SIGKILL')",
        all: "process.kill(-p.pid, 0)",
      }),
    );
    const found = outputOf(await skill.run({ level, params: { pid: process.pid } }));
    expect(found).toMatchObject({ host: expect.stringMatching(/^E/), all: expect.stringMatching(/^E/) });
  });
});

it.skipIf(!hasBubblewrap)("a project in the home folder hides ~/.knack too (needs bubblewrap)", async () => {
  using skill = makeSkill(attempts({ trust: "return fs.readdirSync(p.folder).length" }));
  const [home, folder] = [process.env.HOME, skill.folder.at("project/home/.knack")];
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "trust.json"), "{}");
  process.env.HOME = skill.folder.at("project/home");
  try {
    expect(outputOf(await skill.run({ level: "bubblewrap", params: { folder } }))).toEqual({
      trust: "done: 0",
    });
  } finally {
    process.env.HOME = home;
    rmSync(folder, { recursive: true });
  }
});
