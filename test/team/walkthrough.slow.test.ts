import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  programsOf,
  type ServerVersion,
  TestServer,
} from "../../packages/engine/src/store/testing/postgres/server.ts";
import { blocks, createDatabase, Machine, PASSWORD, query } from "./machine.ts";

const COMPOSE = join(import.meta.dirname, "../../examples/team/compose.yaml");

// The oldest version that is installed; the tests of the store run on both.
const OLDEST: ServerVersion = programsOf("15") === undefined ? "18" : "15";

for (const version of [OLDEST]) {
  describe.skipIf(programsOf(version) === undefined)(`docs/team.md on PostgreSQL ${version}`, () => {
    it("goes from nothing to three machines", async () => {
      await using server = await TestServer.start(version);
      await createDatabase(server);
      await using first = new Machine(server);
      await using second = new Machine(server);
      await using third = new Machine(server);

      // A history that was made before.
      await first.sh("knack trust\nknack run text_extract texts/first.txt");
      await first.configure();
      const [migrate = ""] = blocks("3. Move the history", "sh");
      expect((await first.sh(migrate)).stdout).toMatch(
        /^Copied \d+ rows .* checked each .*\n\d+ records? of the log/,
      );

      const [trust = "", use = ""] = blocks("4. Trust it on each machine", "sh");
      for (const machine of [first, second, third]) {
        if (machine !== first) await machine.configure();
        const { stdout } = await machine.sh(trust);
        expect(stdout).toMatch(/^ok +store: postgres:\/\/127\.0\.0\.1:\d+\/knack/m);
      }
      const used = await first.sh(use);
      expect(used.stdout).toMatch(/^total +DONE/m);
      expect(used.stdout).toContain("text_extract");
      expect(used.stderr).not.toMatch(/warning/i);

      const [worker = "", queue = ""] = blocks("5. Start workers and queue runs", "sh");
      const workers = [await second.start(worker), await third.start(worker)];
      for (const { first: line } of workers) expect(JSON.parse(line)).toMatchObject({ event: "ready" });
      // What `first` made, before the move too, is there for everybody; a plan of other texts is run by the workers.
      for (const skill of ["text_extract", "count_words"]) {
        const shared = await second.sh(`knack run ${skill} texts/first.txt --json`);
        expect(JSON.parse(shared.stdout)).toMatchObject({ status: "SUCCEEDED", cached: true });
      }
      await first.sh(
        "for n in first second third; do echo one two $n > texts/$n.txt; done; sed -i s/word-count/again/ plan.yaml",
      );
      const done = await first.sh(queue);
      expect(done.stdout).toMatch(/^total +DONE/m);
      const fetched = await first.sh("knack run count_words texts/first.txt --output -");
      expect(JSON.parse(fetched.stdout)).toEqual({ words: 3 });
      await expect
        .poll(async () => JSON.parse((await first.sh("knack queue --json")).stdout).counts)
        .toEqual({ waiting: 0, running: 0, failed: 0, dead: 0 });

      const { services } = parse(readFileSync(COMPOSE, "utf8"), { merge: true });
      await second.sh(services["worker-1"].healthcheck.test[1]);

      const [tokens = ""] = blocks("Share the page and the API", "sh");
      const [token = ""] = /^knack_\S+$/m.exec((await first.sh(tokens)).stdout) ?? [];
      const serve =
        blocks("Share the page and the API", "sh").find((block) => block.includes("--behind-proxy")) ?? "";
      const started = await first.start(serve.replace(":4747", ":0"));
      const { listens } = JSON.parse(started.first);
      expect(JSON.parse(await ask(listens, "/api/me", token))).toMatchObject({ name: "olga", role: "owner" });
      const [reader = ""] = blocks("Monitor", "sh");
      await first.sh(reader);
      const scraper = readFileSync(first.folder.at("repo/prometheus-token"), "utf8").trim();
      expect(await ask(listens, "/metrics", scraper)).toMatch(/^knack_workers 2$/m);

      for (const { child } of workers) {
        child.kill("SIGTERM");
        expect(await once(child, "exit")).toEqual([0, null]);
      }
      const verified = await third.sh("knack audit verify --json");
      expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true });
      expect(verified.stdout + verified.stderr + done.stderr).not.toContain(PASSWORD);
    });
  });
}

describe.skipIf(programsOf("15") === undefined)("backups as in docs/team.md", () => {
  it("are complete, and a restored database is verified by the head from before", async () => {
    const programs = programsOf("15") ?? "";
    await using server = await TestServer.start("15");
    await createDatabase(server);
    await using machine = new Machine(server);
    await machine.configure();
    await machine.sh(
      "knack trust\nknack plan run plan.yaml\nknack run count_words plan.yaml --queue --no-wait",
    );
    const [backup = "", restore = ""] = blocks("Back up and restore", "sh");
    await machine.sh(backup, programs);
    const before = (await machine.sh("knack audit export")).stdout;

    await query(server, "admin", "postgres", "DROP DATABASE knack WITH (FORCE)");
    const [roles = ""] = blocks("1. Create the database", "sql");
    for (const statement of roles.split("\n").slice(1)) await query(server, "admin", "postgres", statement);
    await query(server, "admin", "postgres", "GRANT CREATE ON DATABASE knack TO knack");
    await machine.sh("rm -r workspace/artifacts");
    await machine.sh(restore, programs);
    expect((await machine.sh("knack audit export")).stdout).toBe(before);
    expect(JSON.parse((await machine.sh("knack queue --json")).stdout).counts).toMatchObject({ waiting: 1 });
    const again = await machine.sh("knack run count_words texts/first.txt --json");
    expect(JSON.parse(again.stdout)).toMatchObject({ cached: true });
    const cut = await machine.sh(`knack audit verify --head ${"0".repeat(64)}`).catch(({ code }) => code);
    expect(cut).toBe(1);
  });
});

describe.skipIf(programsOf("18") === undefined)("a password that is missing or wrong", () => {
  it("is said plainly, and a password in the address is in no output", async () => {
    await using server = await TestServer.start("18");
    await createDatabase(server);
    await using machine = new Machine(server);
    await machine.configure();
    await machine.sh("knack trust");
    const refused = /refused the user or password\. Set PGPASSWORD, or use a password file/;
    for (const broken of ["chmod 644 ~/.pgpass", "rm ~/.pgpass", "export PGPASSWORD=wrong"])
      await expect(machine.sh(`${broken}; knack run count_words plan.yaml`)).rejects.toThrow(refused);

    const secret = encodeURIComponent(PASSWORD);
    const address = `postgres://knack:${secret}@127.0.0.1:${server.port}/knack`;
    machine.folder.write({ "repo/.knack/config.yaml": `store: { url: "${address}" }\n` });
    const { stdout, stderr } = await machine.sh(
      "knack trust --yes; knack run count_words plan.yaml; knack audit verify --json; knack doctor --json; knack queue --json",
    );
    expect(stdout + stderr).not.toContain(secret);
    expect(stdout + stderr).not.toContain(PASSWORD);
  });
});

/** As the proxy asks. */
async function ask(address: string, path: string, token: string): Promise<string> {
  const headers = { Host: "knack.example.com", Authorization: `Bearer ${token}` };
  const [response] = await once(get(new URL(path, address), { headers }), "response");
  return text(response);
}
