import { existsSync, rmSync } from "node:fs";
import type { Check } from "../checks/check.ts";
import type { Script, Step } from "../model/conversation.ts";
import type { Way } from "../way.ts";
import { ask, FITS_NOT } from "./ask.ts";

const CONFIG = "home/.knack/config.yaml";
const TASK = "SUBTASK-2: write the schema of the database.";

/** How a client changes a file: with its own tool, which is a patch in some, with a redirect, with a patch in its shell. */
const waysToWrite = ({ client }: Way): Readonly<Record<string, (path: string) => Step>> => ({
  tool: (path) => client.writes(path, "one"),
  shell: (path) => client.shells(`printf one > ${path}`),
  "patch in a shell": (path) =>
    client.shells(`apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path}\n+one\n*** End Patch\nEOF`),
});

/** A write is refused, the skill is loaded, the write goes through: by each way, and in a subagent. */
export async function gates(way: Way): Promise<Check[]> {
  way.folder.write({ [CONFIG]: 'gates: [{ files: ["**/*.sql"], needs: short-guide }]\n' });
  const checks: Check[] = [];
  for (const [name, write] of Object.entries(waysToWrite(way))) {
    const seen = newSeen(way);
    await ask(way, FITS_NOT, { script: throughGate(write, seen) });
    // Only Codex has a program for the patch; elsewhere the shell is asked and finds none.
    const isWritten = name !== "patch in a shell" || way.client.name === "codex";
    checks.push(judge(`gate, ${name}`, seen, isWritten));
  }
  const { delegates, waits } = way.client;
  if (delegates) {
    const seen = newSeen(way);
    const script = function* (): Script {
      const started = yield delegates(TASK);
      if (waits) yield waits(started);
      return "Done.";
    };
    const subagents = { [TASK]: throughGate((path) => way.client.writes(path, "one"), seen) };
    await ask(way, FITS_NOT, { script: script(), subagents });
    checks.push(judge("gate, subagent", seen, true));
  }
  checks.push(await broken(way));
  way.folder.write({ [CONFIG]: "" });
  return checks;
}

interface Seen {
  readonly path: string;
  refused: string;
  isEarly: boolean;
  loaded: string;
}

function newSeen({ folder }: Way): Seen {
  const path = folder.at("repo/schema.sql");
  rmSync(path, { force: true });
  return { path, refused: "", isEarly: false, loaded: "" };
}

function* throughGate(write: (path: string) => Step, seen: Seen): Script {
  seen.refused = yield write(seen.path);
  seen.isEarly = existsSync(seen.path);
  seen.loaded = yield { tool: "skill_load", args: { name: "short-guide" } };
  yield write(seen.path);
  return "Done.";
}

function judge(name: string, { path, refused, isEarly, loaded }: Seen, isWritten: boolean): Check {
  const isRefused = /asks for the skill \W*short-guide/.test(refused) && !isEarly;
  const isThere = existsSync(path);
  const ok = isRefused && loaded.includes("SHORT-1") && isThere === isWritten;
  const says = isRefused ? "" : `: ${refused.slice(0, 200)}`;
  return {
    name,
    ok,
    detail: `${isRefused ? "refused" : "not refused"}, then ${isThere ? "" : "not "}written${says}`,
  };
}

/** A configuration that is wrong refuses nothing, as a whole or in a gate. */
async function broken(way: Way): Promise<Check> {
  const stopped: string[] = [];
  for (const text of [
    "gates: [{ files: [",
    "gates: [{ files: 5, needs: short-guide }]\n",
    "gates: 5\nhooks: no\n",
  ]) {
    way.folder.write({ [CONFIG]: text });
    const path = newSeen(way).path;
    function* script(): Script {
      const got = yield way.client.writes(path, "one");
      if (!existsSync(path)) stopped.push(`${JSON.stringify(text)}: ${got.slice(0, 200)}`);
      return "Done.";
    }
    const { body } = await ask(way, FITS_NOT, { script: script() });
    if (!body.includes(FITS_NOT)) stopped.push(`${JSON.stringify(text)}: no request`);
  }
  const detail = stopped.length === 0 ? "nothing refused, three times" : stopped.join("\n");
  return { name: "wrong config", ok: stopped.length === 0, detail };
}
