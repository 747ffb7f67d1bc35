import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { claude } from "./clients/claude.ts";
import type { Client } from "./clients/client.ts";
import { codex } from "./clients/codex.ts";
import { copilot } from "./clients/copilot.ts";
import { gemini } from "./clients/gemini.ts";
import { opencode } from "./clients/opencode.ts";
import { pi } from "./clients/pi.ts";
import { qwen } from "./clients/qwen.ts";
import { PARTS, type TriedHooks, tryHooks } from "./hooks/try-hooks.ts";
import { openScriptedModel } from "./model/scripted-model.ts";
import { compareSkills } from "./skills/compare.ts";
import { isWorse, printComparison } from "./skills/print.ts";
import { isFailed, printLimits, printPassed, printRow, printTable, printTokens } from "./table.ts";
import { type Tried, tryClient } from "./try-client.ts";

/** With pi only the hooks are tried. */
const CLIENTS: readonly Client[] = [claude, codex, gemini, opencode, copilot, qwen, pi];

const HELP = `Runs the real clients against Knack, with a scripted model that reads what they send.

  npm run test:agents -- [--only a,b] [--without a,b] [--thorough] [--skills] [--json FILE]
  npm run test:agents -- --hooks [--parts a,b] [--prompts N] [--starts N] [--home FOLDER] [--only a,b] [--json FILE]

--hooks only tries the hooks, in these parts:
  prompts   the skill in the first request, once; N prompts that fit nothing (60, of Qwen Code and opencode 10)
            leave it byte for byte; a hostile skill ends no frame of the client
  gates     a write is refused, the skill loaded, the write done; a wrong configuration refuses nothing
  lasting   the skill is there after a new start, after a compaction, and in a subagent
  failures  Knack is gone, fails, says nonsense or never ends: the prompt arrives and a write is done
  tokens    of the first request, with the skills of FOLDER
  starts    Knack's tools in the first request of N starts (20 for Claude Code and Codex, 5 for the others), at a load of 8

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
    parts: { type: "string" },
    prompts: { type: "string" },
    starts: { type: "string" },
    home: { type: "string", default: join(import.meta.dirname, "../../.agents/skills") },
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
const wanted = CLIENTS.filter(
  (client) =>
    (only?.includes(client.name) ?? (values.hooks || client !== pi)) && !without.includes(client.name),
);
const leftOut = CLIENTS.filter((client) => !wanted.includes(client)).map(({ name }) => name);

await using model = await openScriptedModel();
if (values.hooks) {
  const named = values.parts?.split(",");
  const tried: TriedHooks[] = [];
  for (const client of wanted) {
    const one = await tryHooks(client, model, {
      parts: PARTS.filter((part) => named?.includes(part) ?? true),
      prompts: Number(values.prompts ?? (/^(?:qwen|opencode)$/.test(client.name) ? 10 : 60)),
      starts: Number(values.starts ?? (client.callsTool ? 20 : 5)),
      skills: values.home,
    });
    printRow(one.row);
    tried.push(one);
  }
  printTokens(tried.flatMap(({ tokens = [] }) => tokens));
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(tried, undefined, 2));
  process.exit(tried.some(({ row }) => isFailed(row)) ? 1 : 0);
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
