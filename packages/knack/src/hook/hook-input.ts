import { isatty } from "node:tty";
import { parseArgs } from "node:util";
import { parseJson } from "@knack/core/text";
import { HOOK_CLIENT_NAMES, HOOK_EVENTS } from "../client-names.ts";
import { HOOK_LIMIT_MS, type HookCall, readCall } from "./hook-clients.ts";

const MAX_INPUT = 8 * 1024 * 1024;

/** The word for a process that reads the texts of the skills, which no client calls. */
export const READ = "read-texts";

/** The event, the client and the folder; `undefined` where the words are wrong, which is no reason to stop a client. */
function readWords(words: readonly string[]) {
  if (words[0] === READ) return READ;
  const options = { client: { type: "string" }, cwd: { type: "string" } } as const;
  const { values, positionals } = parseArgs({
    args: [...words],
    options,
    allowPositionals: true,
    strict: false,
  });
  const event = HOOK_EVENTS.find((one) => positionals.includes(one));
  const client = HOOK_CLIENT_NAMES.find((one) => one === values.client);
  if (!event || !client) return undefined;
  return { event, client, cwd: typeof values.cwd === "string" ? values.cwd : "" };
}

let late = (): void => {};

/** Ends the process in time, counted from its start: the client has waited since then. */
export function limitTime(): void {
  const end = (): void => {
    late();
    process.exit(0);
  };
  setTimeout(end, Math.max(0, HOOK_LIMIT_MS - performance.now()));
}

/** What is still done when the time is over. */
export function whenLate(work: () => void): void {
  late = work;
}

/** What the client has called, once for the process; `undefined` where no client did. */
export function givenCall(words: readonly string[]): Promise<HookCall> | undefined {
  given ??= readGiven(words);
  return given;
}

let given: Promise<HookCall> | undefined;

function readGiven(words: readonly string[]): Promise<HookCall> | undefined {
  const named = readWords(words);
  if (!named || named === READ || isatty(0)) return undefined;
  return readInput().then((input) => {
    const call = readCall(named.event, named.client, parseJson(input));
    // A folder that setup has fixed is meant, wherever the client works.
    return { ...call, cwd: named.cwd || call.cwd };
  });
}

async function readInput(): Promise<string> {
  let text = "";
  for await (const part of process.stdin.setEncoding("utf8")) {
    text += part;
    if (text.length > MAX_INPUT) return "";
  }
  return text;
}
