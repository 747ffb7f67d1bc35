import { pythonHere } from "../../isolate/loaders/python.ts";
import type { ImplementationDigest } from "../../registry/implementation/implementation-digest.ts";
import type { Executable, Registered } from "../../registry/registered.ts";
import { EngineError } from "../../shared/engine-error.ts";

/** Counted up when a built-in skill may give other results than before: then nothing of before is served. */
const BUILTIN_VERSION = "knack builtin 2";

/** The code of a skill as it is now, not as it was when the registry was read: an engine may be open for days. */
export async function digestCode({
  skill,
  implementation,
}: Pick<Registered, "skill" | "implementation">): Promise<ImplementationDigest> {
  const covered = implementation.cover(await runtimeOf(implementation.executable));
  if ("problem" in covered) throw new EngineError("EXECUTION_ERROR", `${skill.name}: ${covered.problem}`);
  return covered;
}

/** To the version that can change results: of Node the major one. */
async function runtimeOf(executable: Executable): Promise<string> {
  if (executable.kind === "builtin") return BUILTIN_VERSION;
  if (executable.language !== "python") return `node ${process.versions.node.split(".")[0]}`;
  const python = await pythonHere();
  return python.found ? `python ${python.version}` : "no python";
}
