import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { check } from "./checks.ts";
import { claude } from "./clients/claude.ts";
import type { Client } from "./clients/client.ts";
import { codex } from "./clients/codex.ts";
import { copilot } from "./clients/copilot.ts";
import { gemini } from "./clients/gemini.ts";
import { opencode } from "./clients/opencode.ts";
import { qwen } from "./clients/qwen.ts";
import { install } from "./install.ts";
import { measure } from "./measure.ts";
import { openScriptedModel, type ScriptedModel } from "./model/scripted-model.ts";
import { makeProject } from "./project.ts";
import { readServerFacts, serve } from "./server-facts.ts";
import { checkSlashCommand, type Passed, tryDeclarations } from "./slash-commands.ts";
import { isFailed, printRow, printTable, type Row } from "./table.ts";

const CLIENTS: readonly Client[] = [claude, codex, gemini, opencode, copilot, qwen];

const HELP = `Runs the real clients against Knack with a scripted model.

  npm run test:agents -- [--only a,b] [--without a,b] [--json FILE] [--declarations]

--declarations also tries other ways to declare a prompt's arguments.

Clients: ${CLIENTS.map(({ name }) => name).join(", ")}`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    without: { type: "string" },
    declarations: { type: "boolean" },
    json: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const only = values.only?.split(",");
const without = values.without?.split(",") ?? [];
const unknown = [...(only ?? []), ...without].filter((name) => !CLIENTS.some((one) => one.name === name));
if (unknown.length > 0) {
  console.error(`No such client: ${unknown.join(", ")}.\n${HELP}`);
  process.exit(2);
}
const wanted = CLIENTS.filter(({ name }) => (only?.includes(name) ?? true) && !without.includes(name));
const leftOut = CLIENTS.filter((client) => !wanted.includes(client)).map(({ name }) => name);

await using model = await openScriptedModel();
const rows: Row[] = [];
const passed: Passed[] = [];
for (const client of wanted) {
  for (const row of await tryClient(client, model)) {
    rows.push(row);
    printRow(row);
  }
}
printTable(rows);
for (const { client, declaration, typed, passed: arrived } of passed)
  console.log(`${client}, ${declaration}, ${typed ? "with text" : "without text"}: ${arrived}`);
if (leftOut.length > 0) console.log(`\nLeft out: ${leftOut.join(", ")}.`);
if (model.refused.size > 0) console.log(`\nRefused by the proxy: ${[...model.refused].join(", ")}.`);
if (values.json) writeFileSync(values.json, JSON.stringify({ rows, passed, leftOut }, null, 2));
process.exitCode = rows.some(isFailed) ? 1 : 0;

/** Both transports; a client that cannot be installed is a failed row. */
async function tryClient(client: Client, model: ScriptedModel): Promise<Row[]> {
  const { title, version } = client;
  try {
    const installed = install(client);
    const rows: Row[] = [];
    for (const transport of ["stdio", "http"] as const) {
      using folder = makeProject();
      const server = await readServerFacts(folder);
      await using serving = transport === "http" ? await serve(folder) : undefined;
      const way = { client, installed, folder, model, ...(serving ? { serving } : {}) };
      const measured = await measure(way);
      const slash = transport === "stdio" ? await checkSlashCommand(way) : [];
      rows.push({
        client: title,
        version,
        transport,
        checks: [...check(client, measured, server), ...slash],
      });
      if (values.declarations && client.slashCommand && !serving)
        passed.push(...(await tryDeclarations(way)));
    }
    return rows;
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [{ client: title, version, transport: "-", checks: [{ name: "starts", ok: false, detail }] }];
  }
}
