import { fewOf, isInside, readRegularFile, shorten } from "@knack/core/internal/engine";
import { EngineError } from "../../shared/engine-error.ts";
import { readInProject } from "../../shared/in-project.ts";
import type { Plan } from "../plan.ts";
import type { KnownSkills } from "./check-references.ts";
import { readPlan } from "./read-plan.ts";

/** A plan is written by people. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads and checks a plan; throws with every problem, each with file and line. A file of a project that is not trusted is
 * read only where it really is inside, because an error quotes what stands in it; one elsewhere is its reader's own.
 */
export function readPlanFile(path: string, skills: KnownSkills): Plan {
  const within = skills.within !== null && isInside(path, skills.within) ? skills.within : null;
  const content =
    within === null ? readRegularFile(path, MAX_BYTES, true) : readInProject(path, within, MAX_BYTES);
  if ("leadsOut" in content)
    throw new EngineError(
      "ACCESS_DENIED",
      `${path} is outside the project (through a link), and the project is not trusted. Give the real path of the plan, or run "knack trust".`,
    );
  if ("fault" in content) {
    const isAbsent = content.detail === "ENOENT" || content.detail === "ENOTDIR";
    if (isAbsent) throw new EngineError("NOT_FOUND", `There is no plan ${shorten(path)}; check the path.`);
    const what = content.fault === "TOO_LARGE" ? `it is too large (${content.detail} bytes)` : content.detail;
    throw new EngineError("INVALID_PARAM", `${shorten(path)} cannot be read as a plan: ${what}.`);
  }
  const plan = readPlan(content.bytes.toString("utf8"), path, skills);
  if ("id" in plan) return plan;
  const problems = plan.map(({ line, message }) => `${path}:${line}: ${message}`);
  const isDenied = plan.every((problem) => problem.isDenied);
  throw new EngineError(isDenied ? "ACCESS_DENIED" : "INVALID_PARAM", fewOf(problems, { separator: "\n" }));
}
