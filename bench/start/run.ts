import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { installGlobally, NEW_NODE, oldNode, pack, type Runtime } from "../../test/packaging/install.ts";
import { measureMcp } from "./mcp.ts";

/**
 * How long the packed program takes to start where npm installed it, beside a Node that does nothing; and how long `knack mcp`
 * takes to its list of tools (`mcp.ts`).
 */

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "21" },
    only: { type: "string", default: "program,mcp" },
    skills: { type: "string", default: "62,1000,10000" },
  },
});
const rounds = Number(values.rounds);
if (values.only.includes("mcp")) await measureMcp(rounds, values.skills.split(",").map(Number));
if (!values.only.includes("program")) process.exit();

using folder = makeFolder({ "home/": "", "packed/": "", "repo/.git/": "" });
for (let i = 0; i < 100; i++)
  folder.write({ [`repo/.agents/skills/skill-${i}/SKILL.md`]: skillText(`skill-${i}`) });
const [tarball = ""] = pack(folder.at("packed"), "knack");

interface Kind {
  readonly title: string;
  readonly runtime: Runtime;
  readonly words: readonly [string, ...string[]];
  readonly times: number[];
}

const kinds: Kind[] = [];
const old = oldNode();
for (const runtime of [...(old ? [old] : []), NEW_NODE]) {
  const prefix = folder.at(`prefix-${runtime.version}`);
  installGlobally(runtime, tarball, prefix, ...(runtime === NEW_NODE ? ["--cpu=none"] : []));
  const program = `${prefix}/bin/knack`;
  for (const [title, ...words] of [
    ["node -e 0", "node", "-e", "0"],
    ["knack --version", program, "--version"],
    ["knack list, 100 skills", program, "list"],
    ["completion, 100 skills", program, "__complete", "1", "load", "skill-"],
  ] as const)
    kinds.push({ title, runtime, words, times: [] });
}

// The kinds take turns, so that a busy moment meets all of them. The first round fills the caches.
for (let round = 0; round <= rounds; round++)
  for (const { runtime, words, times } of kinds) {
    const env = { PATH: runtime.path, HOME: folder.at("home") };
    const [program, ...args] = words;
    const begin = performance.now();
    const { status } = spawnSync(program, args, { cwd: folder.at("repo"), env, stdio: "ignore" });
    if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}`);
    if (round > 0) times.push(performance.now() - begin);
  }

const median = ({ times }: Kind): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
for (const kind of kinds) {
  const bare = kinds.find(({ runtime, title }) => runtime === kind.runtime && title === "node -e 0") ?? kind;
  const [time, times] = [median(kind), median(kind) / median(bare)];
  console.log(
    `Node ${kind.runtime.version.padEnd(8)} ${kind.title.padEnd(22)} ${time.toFixed(0).padStart(4)} ms  ${times.toFixed(2)} x`,
  );
}
