import { verifyArtifact } from "../artifacts/verify-artifact.ts";
import { appendEvents } from "../audit/chain.ts";
import { artifactBytes } from "../contents/artifact-bytes.ts";
import { openContents } from "../contents/open-contents.ts";
import { batchesOf, type PagedTable } from "../store/batches.ts";
import { openStore } from "../store/open-store.ts";

/** The files of the artifacts that the history names, for a target whose machines share them. */
interface KeptArtifacts {
  readonly kept: number;
  /** Not in this project any more, or changed; a run that needs one makes it again. */
  readonly missing: number;
}

const ARTIFACTS: PagedTable = {
  name: "artifacts",
  key: ["artifact_id"],
  columns: ["artifact_id", "path", "sha256", "size_bytes"],
};

/** Stores the artifacts of a history where all machines find them, from the files of this project. */
export async function keepRecorded(
  url: string,
  artifactsUrl: string | null,
  projectRoot: string,
): Promise<KeptArtifacts | null> {
  const store = await openStore(url, { actor: "migrate", record: appendEvents });
  try {
    const contents = await openContents(artifactsUrl, store);
    if (!contents) return null;
    let [kept, missing] = [0, 0];
    for await (const rows of batchesOf(store.db, ARTIFACTS))
      for (const row of rows) {
        const [path, sha256] = [String(row.path), String(row.sha256)];
        if (await contents.has(sha256)) continue;
        if ((await verifyArtifact(projectRoot, { path, sha256 })) === "whole") {
          await contents.put({ sha256, size: Number(row.size_bytes) }, () =>
            artifactBytes(projectRoot, path),
          );
          kept++;
        } else missing++;
      }
    return { kept, missing };
  } finally {
    await store.db.close();
  }
}
