import { bubblewrapHere } from "./bubblewrap.ts";
import { confinementHere } from "./confine/confinement.ts";
import type { Execution, Isolation } from "./execution.ts";

/** The levels available on this machine for JavaScript and TypeScript; bubblewrap is probed once, by running it. */
export async function isolationLevel(): Promise<{ level: Isolation; detail: string }> {
  const bubblewrap = await bubblewrapHere();
  if (bubblewrap.works)
    return { level: "bubblewrap", detail: `${bubblewrap.version} (${bubblewrap.program})` };
  const kernel = await confinementHere();
  const how = kernel.works
    ? `Node's permission model, Landlock (ABI ${kernel.abi}) and a filter of system calls`
    : `Node's permission model only, which stops accidents, not attackers (${kernel.reason})`;
  return { level: "node-permission", detail: `${bubblewrap.reason}; skills run under ${how}` };
}

/** The strongest level that the machine supports for this language and the caller accepts; otherwise why there is none. */
export async function chooseLevel(
  execution: Pick<Execution, "language" | "allow">,
): Promise<{ level: Isolation } | { refused: string }> {
  const { language, allow } = execution;
  const bubblewrap = await bubblewrapHere();
  if (bubblewrap.works && allow.includes("bubblewrap")) return { level: "bubblewrap" };
  const weaker = language === "python" ? "none" : "node-permission";
  if (allow.includes(weaker)) return { level: weaker };
  const name = language === "python" ? "A skill in Python" : "This skill";
  if (bubblewrap.works)
    return {
      refused: `${name} cannot run: bubblewrap works here but is not allowed (allowed: ${list(allow)}).`,
    };
  const install = `${name} needs isolation, and ${bubblewrap.reason}. Install bubblewrap (package "bubblewrap") on this machine`;
  if (language !== "python") return { refused: `${install}.` };
  const byName = "isolation: { allowNone: [<name of the skill>] }";
  return {
    refused: `${install}, or let this skill run without isolation: ${byName} in your own ~/.knack/config.yaml.`,
  };
}

function list(allow: readonly Isolation[]): string {
  return allow.length === 0 ? "nothing" : allow.join(", ");
}
