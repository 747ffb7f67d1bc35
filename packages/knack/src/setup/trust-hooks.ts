import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { isRecord, parseJson } from "@knack/core/text";
import * as z from "zod";
import type { ClientName } from "../client-names.ts";
import { conflict } from "../options.ts";
import { findOwnProgram } from "../run-program.ts";
import type { ServerEntry, UserPlace } from "./client-file.ts";
import { isOurHook } from "./hooks.ts";
import { holderAt, type Member } from "./plan-change.ts";

/** Where Codex keeps which hooks the user has trusted: by the place in the file, with the hash of the hook. */
const STATE = ["hooks", "state"] as const;

const ANSWER = z.object({
  id: z.literal(2),
  result: z.object({
    data: z.array(
      z.object({
        hooks: z.array(
          z.object({
            key: z.string(),
            currentHash: z.string(),
            sourcePath: z.string(),
            handlerType: z.string(),
            server: z.string().nullish(),
            command: z.string().nullish(),
          }),
        ),
      }),
    ),
  }),
});

const LIMIT_MS = 30_000;

/** Asks Codex for the hashes of Knack's hooks in this file: what to write so that it runs them. */
export async function trustedHooks(file: string, { env, home }: UserPlace): Promise<Member[]> {
  const program = findOwnProgram("codex", env);
  if (!program)
    throw conflict('"codex" is not on the search path. Start it and type /hooks to trust the hooks.');
  const answer = await listHooks(program, { ...env, KNACK_TOKEN: undefined }, home);
  const hooks = answer?.result.data.flatMap((one) => one.hooks) ?? [];
  const ours = hooks.filter(({ sourcePath, handlerType, server, command }) => {
    const type = handlerType === "mcpTool" ? "mcp_tool" : handlerType;
    return sourcePath === file && isOurHook({ type, server, command });
  });
  if (ours.length === 0) throw conflict("Codex does not list Knack's hooks. Start it and type /hooks.");
  return ours.map(({ key, currentHash }) => ({ path: STATE, key, value: { trusted_hash: currentHash } }));
}

/** `hooks/list` of `codex app-server`, which reads a line for each message. */
async function listHooks(
  program: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<z.infer<typeof ANSWER> | undefined> {
  const child = spawn(program, ["app-server"], { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
  const timer = setTimeout(() => child.kill(), LIMIT_MS);
  const failed = new Promise<undefined>((resolve) => {
    child.on("error", () => resolve(undefined));
    child.stdin.on("error", () => resolve(undefined));
  });
  const ask = async (): Promise<z.infer<typeof ANSWER> | undefined> => {
    const clientInfo = { name: "knack", title: "Knack", version: "1" };
    for (const message of [
      { id: 1, method: "initialize", params: { clientInfo } },
      { method: "initialized" },
      { id: 2, method: "hooks/list", params: { cwds: [cwd] } },
    ])
      child.stdin.write(`${JSON.stringify(message)}\n`);
    for await (const line of createInterface({ input: child.stdout })) {
      const { data } = ANSWER.safeParse(parseJson(line));
      if (data) return data;
    }
    return undefined;
  };
  try {
    return await Promise.race([ask(), failed]);
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}

/** The trust in Knack's hooks that is there, by their places in the file of the hooks. */
export function trustMembers(
  client: ClientName,
  document: ServerEntry,
  hooksDocument: ServerEntry,
  file = "",
): Member[] {
  if (client !== "codex") return [];
  const state = holderAt(document, STATE);
  const events = hooksDocument.hooks;
  if (!isRecord(state) || !isRecord(events)) return [];
  const keys = Object.entries(events).flatMap(([event, groups]) => {
    const name = event.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
    const list = Array.isArray(groups) ? groups : [];
    return list.flatMap((group, at) => {
      const inner = isRecord(group) && Array.isArray(group.hooks) ? group.hooks : [];
      return inner.flatMap((hook, place) => (isOurHook(hook) ? [`${file}:${name}:${at}:${place}`] : []));
    });
  });
  return keys.flatMap((key) => (key in state ? [{ path: STATE, key, value: state[key] }] : []));
}
