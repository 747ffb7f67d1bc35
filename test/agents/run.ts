import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { claude } from "./clients/claude.ts";
import type { Client } from "./clients/client.ts";
import { codex } from "./clients/codex.ts";
import { copilot } from "./clients/copilot.ts";
import { gemini } from "./clients/gemini.ts";
import { opencode } from "./clients/opencode.ts";
import { qwen } from "./clients/qwen.ts";
import { tryHooks } from "./hooks.ts";
import { openScriptedModel } from "./model/scripted-model.ts";
import { compareSkills } from "./skills/compare.ts";
import { isWorse, printComparison } from "./skills/print.ts";
import { isFailed, printLimits, printPassed, printRow, printTable, type Row } from "./table.ts";
import { type Tried, tryClient } from "./try-client.ts";

const CLIENTS: readonly Client[] = [claude, codex, gemini, opencode, copilot, qwen];

const HELP = `Runs the real clients against Knack, with a scripted model that reads what they send.

  npm run test:agents -- [--only a,b] [--without a,b] [--thorough] [--skills] [--hooks] [--starts N] [--json FILE]

--hooks only tries the hooks: the skill in the first request, nothing where nothing fits, gates, compaction,
and in N starts at a load of 8 (20 for Claude Code and Codex, 5 for the others) whether the tools are there in time.

--skills only compares which skills the clients and Knack find in a home with 66 of them,
and loads all of Knack's in each client.
--thorough also finds where each client cuts a text, and what it passes of a slash command
for other declarations of a prompt's arguments.
Clients: ${CLIENTS.map(({ name }) => name).join(", ")}`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    without: { type: "string" },
    thorough: { type: "boolean", default: false },
    skills: { type: "boolean", default: false },
    hooks: { type: "boolean", default: false },
    starts: { type: "string" },
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
if (values.hooks) {
  const rows: Row[] = [];
  for (const client of wanted) {
    const usual = /^(?:claude|codex)$/.test(client.name) ? 20 : 5;
    const row = await tryHooks(client, model, Number(values.starts ?? usual));
    printRow(row);
    rows.push(row);
  }
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, undefined, 2));
  process.exit(rows.some(isFailed) ? 1 : 0);
}
const tried: Tried[] = [];
for (const client of values.skills ? [] : wanted) {
  const one = await tryClient(client, model, values.thorough);
  one.rows.forEach(printRow);
  tried.push(one);
}
const comparison = await compareSkills(wanted, model);
const rows = tried.flatMap((one) => one.rows);
const passed = tried.flatMap((one) => one.passed);
const limits = tried.flatMap((one) => one.limits);
const refused = [...model.refused].sort();
if (rows.length > 0) printTable(rows);
printPassed(passed);
printLimits(limits);
printComparison(comparison);
comparison.loaded.forEach(printRow);
if (leftOut.length > 0) console.log(`\nLeft out: ${leftOut.join(", ")}.`);
if (refused.length > 0)
  console.log(`\nHosts that the clients tried and could not reach: ${refused.join(", ")}.`);
if (values.json)
  writeFileSync(values.json, JSON.stringify({ rows, passed, limits, comparison, leftOut, refused }, null, 2));
process.exitCode =
  [...rows, ...comparison.loaded].some(isFailed) || comparison.compared.some(isWorse) ? 1 : 0;
