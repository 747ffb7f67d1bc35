import { openArtifact } from "../artifacts/verify-artifact.ts";
import { fileBytes } from "./file-bytes.ts";
import { WrongBytes } from "./verified.ts";

/** The bytes of an artifact of this project, as they are now. */
export async function* artifactBytes(projectRoot: string, path: string): AsyncGenerator<Uint8Array> {
  const fd = openArtifact(projectRoot, path);
  if (typeof fd === "string") throw new WrongBytes(`${path} was removed in the meantime.`);
  yield* fileBytes(fd);
}
