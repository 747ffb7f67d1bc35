import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { environment, PROGRAM } from "../cli/run.ts";
import { CANARY, type CloneSpec, cloneSpec, leaksIn, makeClone, outsideOf } from "./clone.ts";
import { COMMANDS } from "./clone-commands.ts";

/** Number of clones; KNACK_CLONES=500 finds more. The seed is printed with each failure. */
const CLONES = Number(process.env.KNACK_CLONES ?? 100);
/** Clones in which servers are started, which takes longer. */
const SERVED = 4;
const SEED = Number(process.env.KNACK_SEED ?? 20261115);
/** Clones for one process: loading the program takes as long as a hundred commands. */
const BATCH = 50;
const COMMANDS_PER_CLONE = 12;
/** For a whole batch; a command that hangs uses all of it. */
const BATCH_MS = 500_000;
const CHILD = join(import.meta.dirname, "clone-child.ts");

interface Clone {
  readonly spec: CloneSpec;
  readonly folder: Folder;
  readonly before: Record<string, string>;
}

/** Everything wrong after the commands were run in all of these clones. */
async function attack(
  clones: readonly Clone[],
  commandsOf: (spec: CloneSpec) => readonly (readonly string[])[],
) {
  using work = makeFolder();
  const jobs = clones.map(({ folder, spec }, id) => ({
    id: String(id),
    repo: folder.at("repo"),
    env: { ...environment(folder), KNACK_TRUST: spec.trusted ? "all" : "" },
    commands: commandsOf(spec),
  }));
  writeFileSync(work.at("jobs.json"), JSON.stringify(jobs));
  const child = spawn(process.execPath, ["--conditions=knack-source", CHILD, work.at("jobs.json")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const late = setTimeout(() => child.kill("SIGKILL"), BATCH_MS);
  const [code, signal] = await once(child, "close");
  clearTimeout(late);
  const wrong: string[] = [];
  const told = (id: number): string => JSON.stringify({ seed: SEED, ...clones[id]?.spec });
  const parts = output.split(/\n@@ /);
  const last = /^(\d+) /.exec(parts.findLast((part) => /^\d+ /.test(part)) ?? "")?.[1];
  if (code !== 0)
    wrong.push(`ended by ${signal ?? code} after: ${parts.at(-1)?.slice(0, 500)} ${told(Number(last))}`);
  for (const part of parts) {
    const [, id = "0", command = ""] = /^(\d+) (.*)\n/.exec(part) ?? [];
    const isTrusted = clones[Number(id)]?.spec.trusted;
    // A link in a trusted project may lead outside when it is read; nothing else may.
    if (!isTrusted && part.includes(CANARY)) wrong.push(`${command} told the canary: ${told(Number(id))}`);
    if (/^\s+at .*:\d+:\d+\)?$/m.test(part))
      wrong.push(`${command} printed a stack: ${part.slice(0, 300)} ${told(Number(id))}`);
    if (part.startsWith("exit ")) wrong.push(`a command ended with ${part}`);
  }
  for (const [id, { folder, before, spec }] of clones.entries()) {
    const after = outsideOf(folder);
    if (JSON.stringify(after) !== JSON.stringify(before))
      wrong.push(`changed outside: ${JSON.stringify(after)}, was ${JSON.stringify(before)}: ${told(id)}`);
    if (!spec.trusted) for (const path of leaksIn(folder)) wrong.push(`${path} has the canary: ${told(id)}`);
  }
  return wrong;
}

async function attackAll(
  specs: readonly CloneSpec[],
  commandsOf: Parameters<typeof attack>[1],
  filesOf: (spec: CloneSpec) => Parameters<typeof makeClone>[1] = () => ({}),
): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = [...Array(Math.ceil(specs.length / BATCH)).keys()];
  const work = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      const clones = specs.slice(batch * BATCH, (batch + 1) * BATCH).map((spec) => {
        const folder = makeClone(spec, filesOf(spec));
        return { spec, folder, before: outsideOf(folder) };
      });
      try {
        wrong.push(...(await attack(clones, commandsOf)));
      } finally {
        for (const { folder } of clones) folder[Symbol.dispose]();
      }
    }
  };
  await Promise.all([work(), work()]);
  return wrong;
}

const someCommands = ({ turn }: CloneSpec) =>
  Array.from(
    { length: COMMANDS_PER_CLONE },
    (_, place) => COMMANDS[(turn + place * 5) % COMMANDS.length] ?? [],
  );

describe("product: a stranger's project is read, never believed", () => {
  it(`no command changes or tells anything outside of ${CLONES} hostile clones, and all end`, {
    timeout: 1_200_000,
  }, async () => {
    console.log(`clones: ${CLONES}, seed: ${SEED}`);
    const specs = fc.sample(cloneSpec, { numRuns: CLONES, seed: SEED });
    expect(await attackAll(specs, someCommands)).toEqual([]);
  });

  it("each command alone holds where every own path is a link, and where each is a pipe", async () => {
    const paths = [
      ".knack",
      "workspace",
      ".agents/routing.yaml",
      "skills",
      "plan.yaml",
      "skills.lock",
    ] as const;
    const kinds = [
      "link to a folder outside",
      "link to nothing outside",
      "link to a file outside",
      "pipe",
    ] as const;
    const specs = kinds.flatMap((kind) =>
      [true, false].map((trusted) => ({ changes: paths.map((at) => ({ at, kind })), trusted, turn: 0 })),
    );
    expect(await attackAll(specs, () => COMMANDS)).toEqual([]);
  });

  it("servers in such clones answer, and end at SIGTERM", { timeout: 400_000 }, async () => {
    const specs = fc.sample(cloneSpec, { numRuns: SERVED, seed: SEED + 1 });
    for (const spec of specs) {
      using folder = makeClone(spec);
      const before = outsideOf(folder);
      for (const args of [["mcp"], ["rpc"], ["serve", "--port", "0"]]) {
        const child = spawn(process.execPath, [PROGRAM, ...args], {
          cwd: folder.at("repo"),
          env: { ...environment(folder), KNACK_TRUST: spec.trusted ? "all" : "" },
          stdio: ["pipe", "pipe", "pipe"],
        });
        let output = "";
        const begun = new Promise<void>((done) => {
          for (const stream of [child.stdout, child.stderr])
            stream.setEncoding("utf8").on("data", (text: string) => {
              output += text;
              done();
            });
          child.on("exit", () => done());
        });
        const exit = once(child, "exit");
        child.stdin.on("error", () => undefined);
        child.stdin.write(
          args[0] === "rpc"
            ? '{"jsonrpc":"2.0","id":1,"method":"runs.list"}\n{"jsonrpc":"2.0","id":2,"method":"skills.load","params":{"name":"good"}}\n'
            : '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n',
        );
        const slow = setTimeout(() => child.kill("SIGKILL"), 60_000);
        await begun;
        child.kill("SIGTERM");
        const [code, signal] = await exit;
        clearTimeout(slow);
        // An invalid configuration in a trusted project is reported, and the command exits with 1.
        expect([args[0], signal, code === 0 || code === 1, JSON.stringify(spec)], output).toEqual([
          args[0],
          null,
          true,
          JSON.stringify(spec),
        ]);
        if (!spec.trusted) expect(output).not.toContain(CANARY);
        expect(output).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
      }
      expect(outsideOf(folder)).toEqual(before);
    }
  });
});

describe("product: an untrusted plan or registry reads nothing outside the project", () => {
  /** In this order; a failure names it by its place as "turn". */
  const inputs = ["$HOME/.ssh/id_rsa", "../home/.ssh/id_rsa", "linked.md", "folder/id_rsa"];
  const links = {
    "repo/linked.md": { link: "../outside/secret.md" },
    "repo/folder": { link: "../home/.ssh" },
  };
  const task = (id: string, skill: string, file: string): string =>
    `  - { id: ${id}, skill: ${skill}, inputs: [{ file: ${JSON.stringify(file)} }] }\n`;
  const plan = (file: string): string =>
    `version: 1\nplan: p\ntasks:\n${task("x", "text_extract", file)}${task("y", "template_render", file)}${task("z", "file_fingerprint", file)}`;
  const registry = (file: string): string =>
    `version: 1\nskills:\n  - { name: x, implementation: "${file}:run", inputs: [{ kind: FILE }], outputs: { artifacts: [], evidences: [] }, idempotency: { cache: true } }\n`;
  it.each([
    ["plan", "repo/plan.yaml", plan],
    ["registry", "repo/skills/registry.yaml", registry],
  ] as const)("%s: absolute, with .., linked, through a linked folder", async (_what, file, text) => {
    using probe = makeFolder({ "home/.ssh/id_rsa": `${CANARY}\n` });
    const named = new Map<CloneSpec, string>(
      inputs.map((input, turn) => [
        { changes: [], trusted: false, turn },
        input.replace("$HOME", probe.at("home")),
      ]),
    );
    const filesOf = (spec: CloneSpec) => ({ ...links, [file]: text(named.get(spec) ?? "") });
    expect(await attackAll([...named.keys()], () => COMMANDS, filesOf)).toEqual([]);
  });
});
