import { quote } from "@knack/core/text";
import { segmentProblem } from "../registry/path-template.ts";
import { EngineError } from "../shared/engine-error.ts";
import { isRefusal } from "./folder.ts";
import { writeBytes } from "./hash-file.ts";
import { openOwnFolder } from "./place-artifact.ts";
import { claim } from "./take-name.ts";
import { writeWhole } from "./temporary.ts";

/** Where files go that somebody uploads for a task. */
const ATTACHED = "workspace/attached/";

export interface ReceivedFile {
  /** The bytes; an iterator that throws leaves no file. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly name: string;
}

/**
 * Writes an uploaded file below `workspace/attached/` and answers its path in the project. A file that is there is never
 * overwritten: with the same bytes it is used, with others the new one gets a suffix. No folder on the way may be a link.
 */
export async function receiveFile(
  projectRoot: string,
  below: readonly string[],
  { bytes, name }: ReceivedFile,
): Promise<string> {
  const problem = segmentProblem(name) ?? (Buffer.byteLength(name) > 200 ? "is too long." : undefined);
  if (problem !== undefined || name.startsWith("."))
    throw new EngineError("INVALID_PARAM", `The file name ${quote(name)} ${problem ?? "begins with a dot."}`);
  const segments = [...ATTACHED.split("/").filter(Boolean), ...below];
  try {
    using folder = openOwnFolder(projectRoot, segments, ATTACHED, "files attached to tasks");
    const chosen = await writeWhole(
      folder,
      (fd) => writeBytes(bytes, fd),
      (temporary, written) => claim(folder, temporary, name, written),
    );
    return `${segments.join("/")}/${chosen}`;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new EngineError("CONFLICT", `${segments.join("/")} cannot be used: ${error.message}`);
  }
}
