import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Check } from "../checks/check.ts";
import type { Script } from "../model/conversation.ts";
import { PROGRAM } from "../project.ts";
import { setUp } from "../set-up.ts";
import type { Way } from "../way.ts";
import { ask, FITS } from "./ask.ts";

const NODE = "no Node";
const NEVER = "never ends";

/** What stands where the written hooks and the written server expect Knack. */
const INSTEAD: Readonly<Record<string, string | undefined>> = {
  "no Knack": undefined,
  "exit 1": "process.exit(1);\n",
  "exit 2": 'console.error("It failed."); process.exit(2);\n',
  "not JSON": 'console.log("<<< {not JSON"); process.exit(0);\n',
  [NEVER]: "setInterval(() => {}, 60_000);\n",
};

/**
 * Whatever becomes of Knack, the prompt reaches the model and a write is done: with hooks as `knack setup` wrote them, for the
 * version at hand, and where that calls a tool, for an older one with commands.
 */
export async function failures(way: Way): Promise<Check[]> {
  const forms = way.client.callsTool ? ["tool", "command"] : ["command"];
  const checks: Check[] = [];
  for (const form of forms)
    for (const name of [...Object.keys(INSTEAD), NODE]) checks.push(await withoutKnack(way, form, name));
  return checks;
}

async function withoutKnack(way: Way, form: string, name: string): Promise<Check> {
  const { folder, client } = way;
  const isOld = form === "command" && client.callsTool;
  const flags = ["--hooks", ...(isOld ? [] : (client.hookFlags ?? []))];
  const { file, files } = setUp(way, undefined, flags, isOld ? "0.1.0" : undefined);
  const changed = [file, ...files.map((one) => one.file)];
  using _ = replaceIn(changed, standIn(way, name), form === "command" && name === NEVER);
  const path = folder.at("repo/notes.txt");
  rmSync(path, { force: true });
  const step = client.writes(path, "one");
  function* script(): Script {
    yield step;
    return "Done.";
  }
  // Trust is by the text of a hook, which is another one now.
  const more = isOld ? (client.bypassTrust ?? []) : [];
  const { ended, body } = await ask(way, FITS, { script: script(), offers: step.tool, more });
  const isAsked = body.includes(FITS);
  const isWritten = existsSync(path);
  const seconds = (ended.milliseconds / 1000).toFixed(0);
  return {
    name: `${form}: ${name}`,
    ok: isAsked && isWritten && !ended.isTimedOut,
    detail: `${isAsked ? "asked" : "ERASED"}, ${isWritten ? "written" : "NOT WRITTEN"}, ${seconds} s${isAsked && isWritten ? "" : `: ${ended.output.slice(-300)}`}`,
  };
}

/** What is replaced, and by what. */
function standIn({ folder }: Way, name: string): readonly [string, string] {
  if (name === NODE) return [process.execPath, folder.at("gone/node")];
  const text = INSTEAD[name];
  const file = text === undefined ? "gone/knack.mjs" : `instead/${name.replace(" ", "-")}.mjs`;
  if (text !== undefined) folder.write({ [file]: text });
  return [PROGRAM, folder.at(file)];
}

/** While this lasts; in the hooks alone where it would never end: Gemini CLI waits ten minutes for a server that does not answer. */
function replaceIn(
  files: readonly string[],
  [from, to]: readonly [string, string],
  isForHooks: boolean,
): Disposable {
  const texts = files.map((file) => ({ file, text: readFileSync(file, "utf8") }));
  if (!texts.some(({ text }) => text.includes(from))) throw new Error(`nothing starts ${from}`);
  const parts = (text: string): string[] =>
    text.split(isForHooks ? new RegExp(`${from.replaceAll(".", "\\.")}(?=['"\\\\]*,?\\s*["']?hook)`) : from);
  for (const { file, text } of texts) writeFileSync(file, parts(text).join(to));
  return {
    [Symbol.dispose]: () => {
      for (const { file, text } of texts) writeFileSync(file, text);
    },
  };
}
