import { readRegularFile, shorten } from "@knack/core/internal/engine";
import { EngineError } from "../engine-error.ts";
import type { TypedSkill } from "../typed-skill.ts";
import type { Plan } from "./plan.ts";
import { readPlan } from "./read-plan.ts";

/** A plan is written by people. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Reads and checks a plan; throws with every problem, each with file and line. */
export function readPlanFile(path: string, skills: ReadonlyMap<string, TypedSkill>): Plan {
  const content = readRegularFile(path, MAX_BYTES, true);
  if ("fault" in content) {
    const isAbsent = content.detail === "ENOENT" || content.detail === "ENOTDIR";
    if (isAbsent) throw new EngineError("NOT_FOUND", `There is no plan ${shorten(path)}; check the path.`);
    const what = content.fault === "TOO_LARGE" ? `${content.detail} bytes are too many` : content.detail;
    throw new EngineError("INVALID_PARAM", `${shorten(path)} is no plan: ${what}.`);
  }
  const plan = readPlan(content.bytes.toString("utf8"), path, skills);
  if ("id" in plan) return plan;
  const problems = plan.map(({ line, message }) => `${path}:${line}: ${message}`);
  throw new EngineError("INVALID_PARAM", problems.join("\n"));
}
