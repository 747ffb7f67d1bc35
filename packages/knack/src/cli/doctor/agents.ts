import { isAbsolute, resolve } from "node:path";
import { type Catalog, type Config, SkillError } from "@knack/core";
import { findProgram, findRunner, isProgram, listRunners } from "@knack/core/internal";
import { pluralize } from "../../terminal/count.ts";
import type { Check } from "./check.ts";

/** What agents get of the skills here, and which agents can be given work. */
export function agentChecks(catalog: Catalog, trusted: boolean): Check[] {
  return [offerCheck(catalog, trusted), runnerCheck(catalog)];
}

function offerCheck({ skills }: Catalog, trusted: boolean): Check {
  const name = "agents";
  const forModels = skills.filter((skill) => !skill.disableModelInvocation);
  const offered = forModels.filter((skill) => trusted || skill.scope !== "repo").length;
  const waiting = forModels.length - offered;
  const message = `${pluralize(offered, "skill")} for models, over MCP, HTTP, JSON-RPC`;
  if (waiting === 0)
    return {
      name,
      ok: true,
      message,
      hint: '"knack setup <client>" gives them to an agent.',
    };
  const hint = 'Run "knack trust" to give them to models too.';
  return { name, ok: true, message: `${message}; ${waiting} of this project wait for trust`, hint };
}

/** Only what somebody asked for can be wrong: a runner that the configuration names. */
function runnerCheck({ config: { runners }, cwd }: Catalog): Check {
  const name = "runners";
  const known = listRunners(runners).map((runner) => ({ ...runner, isThere: isThere(runner.argv, cwd) }));
  const missing = known.filter((runner) => !runner.isThere && isNamed(runner.name, runners));
  const usable = known.filter((runner) => runner.isThere).map((runner) => runner.name);
  const there = usable.length === 0 ? "none is installed" : `installed: ${usable.join(", ")}`;
  try {
    const chosen = findRunner({}, runners);
    const message = chosen ? `${chosen.name} by default` : "none by default, so a dispatch prints its frame";
    if (missing.length === 0) return { name, ok: true, message: `${message}; ${there}` };
    const faults = missing.map(
      (runner) => `${runner.name} needs the program ${JSON.stringify(runner.argv[0])}`,
    );
    const hint = "Install what is missing, or fix runners in the configuration.";
    return { name, ok: false, message: `${faults.join(", ")}, which is not installed; ${message}`, hint };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return { name, ok: false, message: error.message, hint: "Fix runners.default in the configuration." };
  }
}

function isNamed(name: string, runners: Config["runners"]): boolean {
  return runners.default === name || Object.hasOwn(runners, name);
}

function isThere([program = ""]: readonly string[], cwd: string): boolean {
  if (isAbsolute(program) || /[/\\]/.test(program)) return isProgram(resolve(cwd, program));
  return findProgram(program, process.env) !== undefined;
}
