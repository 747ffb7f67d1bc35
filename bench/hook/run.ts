import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { makeFolder } from "../../packages/core/src/testing/files.ts";

/**
 * What the prompt hook does in a home of 62 real skills: how many of sixty tasks get the right skill (its text, or a pointer to it),
 * how many everyday requests get a byte, and what a prompt waits for, beside `node -e 0`. --skills names the folder of the corpus,
 * --prompts the file with its prompts; --home takes another number of skills, --offset others of them. The everyday requests are
 * those of the search, and two sets in four languages; nothing was chosen by what `everyday.apart.txt` shows.
 */
const { values } = parseArgs({
  options: {
    skills: { type: "string" },
    prompts: { type: "string" },
    home: { type: "string", default: "62" },
    offset: { type: "string", default: "0" },
    rounds: { type: "string", default: "15" },
  },
});
if (!values.skills || !values.prompts) throw new Error("--skills <folder> and --prompts <file> are needed.");
const size = Number(values.home);
const PROGRAM = join(import.meta.dirname, "../../packages/knack/bin/knack.js");

interface Prompt {
  readonly query: string;
  readonly gold: string;
  readonly name: string;
  readonly names_skill: boolean;
}

const prompts = readFileSync(values.prompts, "utf8")
  .trim()
  .split("\n")
  .map((line): Prompt => JSON.parse(line))
  .filter(({ names_skill }) => !names_skill);
const byGold = [...Map.groupBy(prompts, ({ gold }) => gold)];
// Spread over all collections; the same each time.
const step = Math.max(1, Math.floor(byGold.length / size));
const chosen = byGold.filter((_, at) => at % step === Number(values.offset) % step).slice(0, size);
const tasks = chosen
  .map(([, [first]]) => first)
  .filter((one) => one !== undefined)
  .slice(0, 60);
const everyday = ["../search/everyday.test.txt", "everyday.tune.txt", "everyday.apart.txt"].map((file) => ({
  file,
  requests: readFileSync(join(import.meta.dirname, file), "utf8")
    .trim()
    .split("\n"),
}));

using folder = makeFolder({ "home/": "", "repo/.git/": "" });
for (const { gold } of tasks) {
  const from = dirname(gold);
  cpSync(join(values.skills, from), folder.at("home/.claude/skills", from.split("/").at(-1) ?? ""), {
    recursive: true,
  });
}
const env = { PATH: process.env.PATH ?? "", HOME: folder.at("home"), XDG_CACHE_HOME: folder.at("cache") };

const client = new Client({ name: "claude-code", version: "0" });
const cwd = folder.at("repo");
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [PROGRAM, "mcp"], env, cwd, stderr: "ignore" }),
);
const times: number[] = [];
const ask = async (prompt: string, session: string): Promise<string> => {
  const begin = performance.now();
  const { content } = await client.callTool({
    name: "hook",
    arguments: { event: "prompt", session, prompt },
  });
  times.push(performance.now() - begin);
  const [first] = content;
  return first?.type === "text" && first.text !== "{}" ? first.text : "";
};
await ask("warm up", "warm");
times.length = 0;

let [texts, pointers, wrong, none] = [0, 0, 0, 0];
for (const [at, { query, name }] of tasks.entries()) {
  const text = await ask(query, `task-${at}`);
  const named = new RegExp(`\\\\"${name.replace(/[^\w-]/g, ".")}\\\\"`);
  if (text === "") none++;
  else if (!named.test(text)) wrong++;
  else if (text.includes("<skill_context")) texts++;
  else pointers++;
}
const told: string[] = [];
for (const { file, requests } of everyday) {
  const some: string[] = [];
  for (const [at, request] of requests.entries())
    if ((await ask(request, `${file}-${at}`)) !== "") some.push(request);
  told.push(
    `${requests.length} of ${file}: ${some.length} got a byte${some.map((one) => `\n  ${one}`).join("")}`,
  );
}
const byTool = sorted(times);
await client.close();

const byCommand: number[] = [];
const bare: number[] = [];
for (let round = 0; round <= Number(values.rounds); round++) {
  const input = JSON.stringify({ session_id: `c${round}`, cwd, prompt: tasks[round % tasks.length]?.query });
  const took = timed([PROGRAM, "hook", "prompt", "--client", "claude"], input);
  const empty = timed(["-e", "0"], "");
  if (round === 0) continue;
  byCommand.push(took);
  bare.push(empty);
}

function timed(args: readonly string[], input: string): number {
  const begin = performance.now();
  spawnSync(process.execPath, args, { input, env, cwd });
  return performance.now() - begin;
}
function sorted(given: readonly number[]): { median: number; worst: number } {
  const list = given.toSorted((a, b) => a - b);
  return { median: list[list.length >> 1] ?? 0, worst: list.at(-1) ?? 0 };
}
const ms = ({ median, worst }: { median: number; worst: number }): string =>
  `${median.toFixed(1)} / ${worst.toFixed(1)} ms`;
const command = sorted(byCommand);
const empty = sorted(bare);
console.log(
  `${tasks.length} tasks: right skill ${texts + pointers} (${texts} texts, ${pointers} pointers), others ${wrong}, nothing ${none}`,
);
console.log(told.join("\n"));
console.log(`mcp_tool, median / worst: ${ms(byTool)}`);
console.log(
  `command, median / worst: ${ms(command)} = ${(command.median / empty.median).toFixed(1)} x node -e 0 (${ms(empty)})`,
);
