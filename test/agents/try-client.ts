import { join } from "node:path";
import { check } from "./checks/check.ts";
import { findLimit, type Limit } from "./checks/limits.ts";
import { checkSlashCommand, type Passed, tryDeclarations } from "./checks/slash-commands.ts";
import { checkWaiting } from "./checks/waiting.ts";
import type { Client } from "./clients/client.ts";
import { install } from "./install.ts";
import { measure } from "./measure.ts";
import type { ScriptedModel } from "./model/scripted-model.ts";
import { makeProject } from "./project.ts";
import { serve } from "./serve.ts";
import { readServerFacts } from "./server-facts.ts";
import { setUp, startInstead } from "./set-up.ts";
import type { Row } from "./table.ts";

const ECHO_SERVER = join(import.meta.dirname, "echo-server.ts");

export interface Tried {
  readonly rows: readonly Row[];
  readonly passed: readonly Passed[];
  readonly limits: readonly Limit[];
}

/** All that is asked of one client; one that cannot be installed or started is a failed row. */
export async function tryClient(client: Client, model: ScriptedModel, isThorough: boolean): Promise<Tried> {
  const { title, version } = client;
  const rows: Row[] = [];
  try {
    const installed = install(client);
    rows.push(await overStdio(client, installed, model), await overHttp(client, installed, model));
    return { rows, ...(isThorough ? await withEcho(client, installed, model) : { passed: [], limits: [] }) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    rows.push({ client: title, version, transport: "-", checks: [{ name: "starts", ok: false, detail }] });
    return { rows, passed: [], limits: [] };
  }
}

async function overStdio(client: Client, installed: string, model: ScriptedModel): Promise<Row> {
  using folder = makeProject();
  const way = { client, installed, folder, model };
  const { asCheck } = setUp(way);
  const checks = check(client, await measure(way, "stdio"), await readServerFacts(folder));
  const more = [...(await checkSlashCommand(way)), await checkWaiting(way)];
  return rowOf(client, "stdio", [asCheck, ...checks, ...more]);
}

async function overHttp(client: Client, installed: string, model: ScriptedModel): Promise<Row> {
  using folder = makeProject();
  await using serving = await serve(folder);
  const way = { client, installed, folder, model };
  const { asCheck } = setUp(way, serving.url);
  const checks = check(client, await measure(way, "http"), await readServerFacts(folder));
  return rowOf(client, "http", [asCheck, ...checks]);
}

const rowOf = ({ title, version }: Client, transport: string, checks: Row["checks"]): Row => ({
  client: title,
  version,
  transport,
  checks,
});

/** What the client does to any server: what it passes of a slash command, and where it cuts. */
async function withEcho(client: Client, installed: string, model: ScriptedModel) {
  using folder = makeProject();
  const way = { client, installed, folder, model };
  using _ = startInstead(setUp(way).file, ECHO_SERVER);
  return {
    passed: client.slashCommand ? await tryDeclarations(way) : [],
    limits: [await findLimit(way)],
  };
}
