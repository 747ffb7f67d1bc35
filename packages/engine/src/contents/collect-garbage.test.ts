import { describe, expect, it } from "vitest";
import { collectGarbage } from "./collect-garbage.ts";
import { allOf, digestOf, pieces } from "./testing/contract.ts";
import { openFileScene } from "./testing/file-scene.ts";
import { nameAsArtifact, nameAsEvidence, nameAsQueued } from "./testing/records.ts";

const HOUR = 3_600_000;
const OLD = { olderThanMs: HOUR };

type Scene = Awaited<ReturnType<typeof openFileScene>>;

async function putOld({ contents, age }: Scene, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const digest = digestOf(bytes);
  await contents.put(digest, () => pieces(bytes));
  await age(digest.sha256, 2 * HOUR);
  return digest.sha256;
}

describe("collecting contents that nothing names", () => {
  it("keeps what an artifact, an evidence or an open queued run names", async () => {
    await using scene = await openFileScene();
    const { store, contents } = scene;
    await nameAsArtifact(store, await putOld(scene, "artifact"));
    await nameAsEvidence(store, await putOld(scene, "evidence"), false);
    await nameAsEvidence(store, await putOld(scene, "evidence data"), true);
    for (const state of ["WAITING", "RUNNING", "FAILED", "DEAD"])
      await nameAsQueued(store, await putOld(scene, state), state);
    const gone: string[] = [];
    for (const state of ["SUCCEEDED", "CANCELLED"]) {
      gone.push(await putOld(scene, state));
      await nameAsQueued(store, gone.at(-1) ?? "", state);
    }
    gone.push(await putOld(scene, "nobody's"));
    const removed: string[] = [];
    const onRemove = ({ sha256 }: { sha256: string }) => removed.push(sha256);
    const planned = await collectGarbage(contents, store, { ...OLD, dryRun: true, onRemove });
    expect(planned).toMatchObject({ removed: 3, kept: 7 });
    expect(removed.sort()).toEqual(gone.sort());
    expect(await allOf(contents.list())).toHaveLength(10);
    expect(await collectGarbage(contents, store, OLD)).toEqual(planned);
    expect(await allOf(contents.list())).toHaveLength(7);
    expect(await collectGarbage(contents, store, OLD)).toMatchObject({ removed: 0, kept: 7 });
  });

  it("keeps what is new, whatever names it", async () => {
    await using scene = await openFileScene();
    const bytes = Buffer.from("new");
    await scene.contents.put(digestOf(bytes), () => pieces(bytes));
    expect(await collectGarbage(scene.contents, scene.store, OLD)).toMatchObject({ removed: 0, kept: 1 });
  });

  it("looks at more than one page of evidence", async () => {
    await using scene = await openFileScene();
    await scene.store.db.transaction(async (tx) => {
      for (let i = 0; i < 1500; i++)
        await tx.run(
          `INSERT INTO evidences (evidence_id, requirement_id, evidence_type, data_json, created_at) VALUES (?, 'q', 'FILE', '{}', '')`,
          [`a${String(i).padStart(5, "0")}`],
        );
    });
    await nameAsEvidence(scene.store, await putOld(scene, "late"), true);
    expect(await collectGarbage(scene.contents, scene.store, OLD)).toMatchObject({ removed: 0, kept: 1 });
  });
});
