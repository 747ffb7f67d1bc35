import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../packages/core/src/testing/files.ts";
import { exportLog } from "../../../packages/engine/src/audit/events.ts";
import { openEngine } from "../../../packages/engine/src/open-engine.ts";
import {
  programsOf,
  type ServerVersion,
} from "../../../packages/engine/src/store/testing/postgres/server.ts";
import { sharedServer } from "../../../packages/engine/src/store/testing/postgres/shared-server.ts";

const EXAMPLE = join(import.meta.dirname, "..", "..", "..", "examples", "05-plan");

/** The log and the tables after the example plan ran twice, a skill ran by itself and one failed. */
async function recordsOf(storeOf: (folder: string) => string): Promise<string[]> {
  using folder = makeFolder({ "repo/broken.pdf": "%PDF-1.7 is not one", "home/": "" });
  const root = folder.at("repo");
  cpSync(EXAMPLE, root, { recursive: true });
  const engine = await openEngine({
    projectRoot: root,
    registry: [join(root, "skills", "registry.yaml")],
    store: storeOf(folder.path),
    home: folder.at("home"),
    env: {},
    keepsWarm: false,
  });
  try {
    for (let round = 0; round < 2; round++) await engine.runPlan("plan.yaml", { parallel: 1 });
    await engine.run("file_fingerprint", { inputs: [{ path: "plan.yaml" }] });
    await engine.run("text_extract", { inputs: [{ path: "broken.pdf" }] });
    expect(await engine.verify()).toMatchObject({ ok: true });
    const { db } = await engine.store();
    const lines: string[] = [];
    for await (const line of exportLog(db)) lines.push(line);
    for (const table of ["skill_runs", "artifacts", "plans", "task_nodes", "task_edges", "evidences"])
      for (const row of await db.all(`SELECT * FROM ${table} ORDER BY 1, 2, 3`))
        lines.push(JSON.stringify(row));
    return normalised(lines, root);
  } finally {
    await engine.close();
  }
}

/** Ids, digests of rows, and times differ between any two runs; what they refer to must not. */
function normalised(lines: readonly string[], root: string): string[] {
  const names = new Map<string, string>();
  const named = (kind: string) => (text: string) => {
    const name = names.get(text) ?? `<${kind} ${names.size}>`;
    names.set(text, name);
    return name;
  };
  return lines.map((line) =>
    line
      .replaceAll(root, "<root>")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replaceAll(/"holder":"[^"]*"/g, '"holder":"<holder>"')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, named("id"))
      .replaceAll(/"(hash|prev_hash|head)":"[0-9a-f]{64}"/g, '"$1":"<hash>"')
      .replaceAll(/(\],\\?")[0-9a-f]{64}(\\?"\])/g, "$1<row>$2"),
  );
}

describe("the same plan on SQLite and on PostgreSQL", () => {
  for (const version of ["18", "15"] satisfies ServerVersion[]) {
    it.skipIf(programsOf(version) === undefined)(`gives the same records (${version})`, async () => {
      const server = await sharedServer(version);
      const onFile = await recordsOf((folder) => `sqlite:${folder}/repo/.knack/state.db`);
      const onServer = await recordsOf(() => server.url());
      expect(onFile.length).toBeGreaterThan(50);
      expect(onServer).toEqual(onFile);
    });
  }
});
