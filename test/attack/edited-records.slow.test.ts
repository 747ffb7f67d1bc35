import { createHash } from "node:crypto";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../packages/core/src/shared/testing/cases.ts";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { eventHash } from "../../packages/engine/src/audit/chain.ts";
import { COVERED } from "../../packages/engine/src/audit/covered-rows.ts";
import { verifyStore } from "../../packages/engine/src/audit/verify-store.ts";
import { addAccessToken } from "../../packages/engine/src/store/access/access-tokens.ts";
import { openSqlite } from "../../packages/engine/src/store/sqlite/sqlite.ts";
import { TRUST } from "../cli/run.ts";
import { ask as askAs, makeTypedProject, stateOf } from "../cli/typed-skills.ts";
import { makePlanScene } from "../engine/plan/plan-scene.ts";

const ask = <T = unknown>(folder: Folder, args: readonly string[]) => askAs<T>(folder, args, TRUST);

const PLAN = `version: 1
plan: p
tasks:
  - { id: extract, skill: text_extract, inputs: [{ file: a.txt }] }
  - { id: again, skill: text_extract, depends_on: [extract], inputs: [{ file: a.txt }] }
  - { id: fails, skill: text_extract, inputs: [{ file: none.txt }] }
  - id: sign
    depends_on: [extract]
    requirements:
      - { name: sign_off, kind: CONFIRMATION, required: true }
      - { name: sources, kind: FILE, required: true, min_count: 1, allowed_types: [txt] }
      - { name: hash, kind: SKILL_OUTPUT, required: true, skill: file_fingerprint, evidence: FILE_HASH }
`;

/** A database with every kind of row, closed, so that everything is in one file. */
async function makeStore(): Promise<Folder & { readonly db: string }> {
  const out = makeFolder();
  {
    await using scene = await makePlanScene(PLAN, {
      "a.txt": "text\n",
      "b.txt": "other\n",
      "workspace/inputs/sources/s.txt": "source\n",
    });
    await scene.run();
    await scene.engine.run("file_fingerprint", { inputs: [{ path: "a.txt" }], task: "sign" });
    await scene.engine.run("text_extract", { inputs: [{ path: "b.txt" }] });
    await scene.engine.run("text_extract", { inputs: [{ path: "b.txt" }], task: "again" });
    await scene.engine
      .run("template_render", { inputs: [{ path: "b.txt", role: "template" }], params: { data: [] } })
      .catch(() => undefined);
    await scene.engine.addEvidence("sign", "sign_off", { confirm: true, by: "me" });
    await addAccessToken(await scene.engine.store(), { name: "alice", role: "reader" });
    await scene.apply(`${PLAN}      - { name: later, kind: CONFIRMATION, required: false }\n`);
    await scene.apply(PLAN.replace(/ {2}- \{ id: fails.*\n/, ""));
    await scene.run();
    await scene.engine.close();
    copyFileSync(scene.folder.at(".knack/state.db"), out.at("state.db"));
  }
  return Object.assign(out, { db: out.at("state.db") });
}

async function verdictOf(file: string): Promise<{ ok: boolean; table?: string; message?: string }> {
  const db = await openSqlite(file);
  try {
    return await verifyStore(db);
  } finally {
    await db.close();
  }
}

/** What is being delivered, and by whom: not part of the history, and empty on SQLite. The end of each queued run is. */
const DELIVERY = "name NOT IN ('queued_runs', 'workers')";

type Value = string | number | null;

function changed(value: Value, seed: number): Value {
  if (typeof value === "number") return value + 1 + (seed % 5);
  if (value === null) return ["x", "WAITING_INPUT"][seed % 2] ?? "x";
  const at = seed % (value.length + 1);
  return `${value.slice(0, at)}${value[at] === "0" ? "1" : "0"}${value.slice(at + 1)}`;
}

describe("promise 15: tables agree with the log", () => {
  it("holds for a store that nobody touched, and every table has rows in it", async () => {
    using store = await makeStore();
    expect(await verdictOf(store.db)).toMatchObject({ ok: true, running: 0 });
    const db = new DatabaseSync(store.db, { readOnly: true });
    for (const { name } of db
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND ${DELIVERY}`)
      .all())
      expect(db.prepare(`SELECT COUNT(*) AS n FROM ${name}`).get(), String(name)).not.toEqual({ n: 0 });
    db.close();
  });

  it("covers every column of every table", async () => {
    using store = await makeStore();
    const db = new DatabaseSync(store.db, { readOnly: true });
    const others = new Set(["task_events", "store_identity"]);
    for (const { name } of db
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND ${DELIVERY}`)
      .all()) {
      if (others.has(String(name))) continue;
      const columns = db.prepare(`SELECT name FROM pragma_table_info('${name}')`).all();
      expect([...COVERED[name as keyof typeof COVERED].columns].sort(), String(name)).toEqual(
        columns.map((column) => String(column.name)).sort(),
      );
    }
    db.close();
  });

  it("finds any single edit, deletion and insertion in any table and column", async () => {
    using store = await makeStore();
    using work = makeFolder();
    const file = work.at("state.db");
    const look = new DatabaseSync(store.db, { readOnly: true });
    const tables = look
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND ${DELIVERY} ORDER BY name`)
      .all()
      .map(({ name }) => String(name));
    const shape = new Map(
      tables.map((table) => [
        table,
        {
          columns: look
            .prepare(`SELECT name FROM pragma_table_info('${table}')`)
            .all()
            .map((row) => String(row.name)),
          rowids: look
            .prepare(`SELECT rowid AS id FROM ${table}`)
            .all()
            .map((row) => Number(row.id)),
        },
      ]),
    );
    look.close();
    /** `false` if the database itself refuses the change. */
    const attack = (change: (db: DatabaseSync) => number): boolean => {
      for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
      copyFileSync(store.db, file);
      const db = new DatabaseSync(file);
      try {
        return change(db) > 0;
      } catch {
        return false;
      } finally {
        db.close();
      }
    };
    let tried = 0;
    const check = async (what: string, change: (db: DatabaseSync) => number): Promise<void> => {
      if (!attack(change)) return;
      tried++;
      expect((await verdictOf(file)).ok, what).toBe(false);
    };
    // Every column of every table once, then at random.
    const edit = (table: string, column: string, place: number, seed: number): Promise<void> => {
      const { rowids = [] } = shape.get(table) ?? {};
      const rowid = rowids[place % rowids.length] ?? 0;
      return check(`${table}.${column} of row ${rowid}`, (db) => {
        const row = db.prepare(`SELECT "${column}" AS value FROM ${table} WHERE rowid = ?`).get(rowid);
        const value = changed((row?.value ?? null) as Value, seed);
        return Number(
          db.prepare(`UPDATE ${table} SET "${column}" = ? WHERE rowid = ?`).run(value, rowid).changes,
        );
      });
    };
    for (const [table, { columns }] of shape) for (const column of columns) await edit(table, column, 0, 3);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...tables),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        async (table, a, b, seed) => {
          const { columns = [], rowids = [] } = shape.get(table) ?? {};
          const rowid = rowids[a % rowids.length] ?? 0;
          const kind = seed % 4;
          if (kind < 2) await edit(table, columns[b % columns.length] ?? "", a, seed);
          // The last record may be removed if it wrote no row: a saved head shows it.
          else if (kind === 2 && !(table === "task_events" && rowid === rowids.at(-1)))
            await check(`${table}: row ${rowid} removed`, (db) =>
              Number(db.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(rowid).changes),
            );
          else if (kind === 3)
            await check(`${table}: row ${rowid} copied`, (db) => {
              const row = { ...db.prepare(`SELECT * FROM ${table} WHERE rowid = ?`).get(rowid) } as Record<
                string,
                Value
              >;
              const key = columns[0] ?? "";
              row[key] = typeof row[key] === "number" ? Number(row[key]) + 1000 : `${row[key]}x`;
              if ("name" in row) row.name = `${row.name}x`;
              const names = Object.keys(row);
              return Number(
                db
                  .prepare(
                    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
                  )
                  .run(...Object.values(row)).changes,
              );
            });
        },
      ),
      { numRuns: cases(150) },
    );
    console.log(`${tried} changes, all found`);
    // The quick suite tries fewer at random, but every column too.
    expect(tried).toBeGreaterThan(80 + cases(150) / 4);
  });
});

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A project with one run whose artifact and row were changed consistently. */
function forge(folder: Folder, alsoRecord: boolean): { readonly path: string; readonly key: string } {
  const { data } = ask<{
    id: string;
    key: string;
    artifacts: { path: string; sha256: string; size_bytes: number }[];
  }>(folder, ["run", "text_extract", "--input", "a.md"]);
  const [artifact] = data.artifacts;
  if (!artifact) throw new Error("no artifact");
  const text = "approved: yes\n";
  writeFileSync(folder.at(`repo/${artifact.path}`), text);
  const db = new DatabaseSync(stateOf(folder));
  const swap = (json: unknown): string =>
    String(json)
      .replaceAll(artifact.sha256, sha256(text))
      .replace(/"size_bytes":\d+/g, `"size_bytes":${text.length}`);
  const row = db.prepare("SELECT output_artifacts_json AS json FROM skill_runs").get();
  db.prepare("UPDATE skill_runs SET output_artifacts_json = ?").run(swap(row?.json));
  db.prepare("UPDATE artifacts SET sha256 = ?, size_bytes = ?").run(sha256(text), text.length);
  if (alsoRecord) {
    const record = db.prepare("SELECT * FROM task_events WHERE event_type = 'ARTIFACT_CREATED'").get();
    db.prepare("UPDATE task_events SET payload_json = ? WHERE seq = ?").run(
      swap(record?.payload_json),
      Number(record?.seq),
    );
  }
  db.close();
  return { path: artifact.path, key: data.key };
}

describe("promise 15: a row and its file that were edited together", () => {
  it.each([
    ["alone", false],
    ["with its record's payload", true],
  ])("are found by verify and not served as cached (%s)", (_, alsoRecord) => {
    using folder = makeTypedProject();
    const { path } = forge(folder, alsoRecord);
    const { code, data } = ask<{ ok: boolean; message: string }>(folder, ["audit", "verify"]);
    expect({ code, ok: data.ok }).toEqual({ code: 1, ok: false });
    expect(data.message).toMatch(/skill_runs|Record 2/);
    const again = ask<{ cached: boolean; status: string; artifacts: { path: string }[] }>(folder, [
      ...["run", "text_extract", "--input", "a.md"],
    ]);
    expect(again.data).toMatchObject({ cached: false, status: "SUCCEEDED" });
    if (!alsoRecord) expect(again.data.artifacts).toMatchObject([{ path }]);
  });

  it("are not served where the record was rewritten with its own hash, because the next one knows it", () => {
    using folder = makeTypedProject();
    ask(folder, ["run", "text_extract", "--input", "a.md"]);
    const db = new DatabaseSync(stateOf(folder));
    db.exec('UPDATE skill_runs SET output_evidences_json = \'[{"kind":"X","data":{}}]\'');
    const record = { ...db.prepare("SELECT * FROM task_events WHERE seq = 1").get() } as Record<
      string,
      Value
    >;
    record.actor = "forged";
    db.prepare("UPDATE task_events SET actor = ?, hash = ? WHERE seq = 1").run(
      "forged",
      eventHash(record as never),
    );
    db.close();
    expect(ask(folder, ["audit", "verify"]).code).toBe(1);
    expect(ask(folder, ["run", "text_extract", "--input", "a.md"]).data).toMatchObject({ cached: false });
  });
});

describe("promise 15: the log belongs to its project", () => {
  it("finds the log of another store in this one", () => {
    using folder = makeTypedProject();
    ask(folder, ["run", "text_extract", "--input", "a.md"]);
    const db = new DatabaseSync(stateOf(folder));
    db.exec("UPDATE store_identity SET store_id = 'another'");
    db.close();
    expect(ask(folder, ["audit", "verify"])).toMatchObject({ code: 1, data: { fault: "foreign" } });
  });

  it("finds the log of another store in one that nobody knows", async () => {
    using store = await makeStore();
    const db = new DatabaseSync(store.db);
    db.exec("UPDATE store_identity SET store_id = 'another'");
    db.close();
    expect(await verdictOf(store.db)).toMatchObject({ ok: false, fault: "foreign" });
  });

  it("finds that the whole database is gone, with a head and without", () => {
    using folder = makeTypedProject();
    expect(ask(folder, ["audit", "verify"])).toMatchObject({ code: 0, data: { ok: true, database: null } });
    expect(ask(folder, ["audit", "verify", "--head", "0".repeat(64)]).code).toBe(1);
    ask(folder, ["run", "text_extract", "--input", "a.md"]);
    for (const end of ["", "-wal", "-shm"]) rmSync(`${stateOf(folder)}${end}`, { force: true });
    const { code, data } = ask<{ message: string }>(folder, ["audit", "verify"]);
    expect([code, data.message]).toEqual([1, expect.stringContaining("is missing")]);
    ask(folder, ["run", "text_extract", "--input", "a.md"]);
    expect(ask(folder, ["audit", "verify"]).code).toBe(0);
  });
});
