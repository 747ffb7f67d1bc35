import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** After its start a server needs a moment until it watches every folder. */
const SETTLE_MS = 4_000;

export interface Place {
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** The location of the skills. */
  readonly root: string;
}

/** The cost of a call for a connected client: with unchanged skills, and right after an edit of one. */
export async function measureCalls(
  command: readonly string[],
  { cwd, env, root }: Place,
  rounds: number,
): Promise<void> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const [program = "", ...args] = command;
  await client.connect(new StdioClientTransport({ command: program, args, cwd, env, stderr: "ignore" }));
  try {
    const search = (query: string) => client.callTool({ name: "skill_search", arguments: { query } });
    const load = (i: number) =>
      client.callTool({ name: "skill_load", arguments: { name: `skill-${String(i).padStart(6, "0")}` } });
    await search("the first search makes the index");
    await delay(SETTLE_MS);
    const unchanged = {
      search: await times(rounds, (i) => search(`generated catalog work item ${i}`)),
      load: await times(rounds, load),
    };
    const edited = {
      search: await times(rounds, async (i) => {
        const word = edit(root, i);
        return async () => mustHave(word, await search(`zebra ${word}`));
      }),
      load: await times(rounds, async (i) => {
        const word = edit(root, i);
        return async () => mustHave(word, await load(i));
      }),
    };
    for (const [when, kinds] of Object.entries({ unchanged, "right after an edit": edited }))
      for (const [kind, list] of Object.entries(kinds))
        console.log(`skill_${kind}, ${when}: median ${at(list, 0.5)} ms, p95 ${at(list, 0.95)} ms`);
  } finally {
    await client.close();
  }
}

type Work = () => Promise<unknown>;

/** Preparation before a measured part is not counted. */
async function times(rounds: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const list: number[] = [];
  for (let i = 0; i < rounds; i++) {
    let started = performance.now();
    const made = await work(i);
    if (typeof made === "function") {
      started = performance.now();
      await (made as Work)();
    }
    list.push(performance.now() - started);
  }
  return list;
}

let edits = 0;

/** Puts a new word into the description of a skill, and returns it. */
function edit(root: string, i: number): string {
  const word = `zq${(edits++).toString(36)}x`;
  const file = join(root, `skill-${String(i).padStart(6, "0")}`, "SKILL.md");
  const text = readFileSync(file, "utf8").replace(
    /^description: .*$/m,
    `description: A zebra ${word} skill.`,
  );
  writeFileSync(file, `${text}${word}\n`);
  return word;
}

function mustHave(word: string, answer: unknown): void {
  if (!JSON.stringify(answer).includes(word)) throw new Error(`The answer does not have the edit: ${word}`);
}

function at(list: readonly number[], part: number): string {
  return (list.toSorted((a, b) => a - b)[Math.floor(list.length * part)] ?? Number.NaN).toFixed(1);
}
