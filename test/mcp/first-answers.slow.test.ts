import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { setTrusted } from "../../packages/core/src/policy/trust.ts";
import { loadWhole, saveParts } from "../../packages/core/src/shared/stored/parts-file.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment, knack, PROGRAM, REPO } from "../cli/run.ts";
import { makeTypedProject } from "../cli/typed-skills.ts";
import { call } from "./call.ts";
import { INITIALIZE, lines } from "./raw-requests.ts";

const MAGIC = "KNACKMA1";
const HOME = "home/.agents/skills";
const DENY = "permissions: { deny: [{ tool: skill_load, skill_name: review }] }\n";

function makeProject(more: Parameters<typeof makeFolder>[0] = {}): Folder {
  return makeFolder({
    "repo/.git/": "",
    "bin/": "",
    [`${HOME}/review/SKILL.md`]: skillText("review", "Reviews the code."),
    [`${REPO}/deploy/SKILL.md`]: skillText("deploy", "Deploys the project."),
    ...more,
  });
}

interface Options {
  readonly name?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Begun extends AsyncDisposable {
  readonly client: Client;
  readonly instructions: string;
  readonly tools: readonly string[];
  /** Name and description of each. */
  readonly prompts: readonly string[];
  /** Notifications that lists have changed. */
  readonly changed: string[];
}

/** A real client at a real process, with what it was told first. */
async function begin(
  folder: Folder,
  { name = "test-client", args = [], env = {} }: Options = {},
): Promise<Begun> {
  const client = new Client({ name, version: "1.0.0" });
  const changed: string[] = [];
  client.fallbackNotificationHandler = async ({ method }) => void changed.push(method);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, "mcp", ...args],
      cwd: folder.at("repo"),
      env: { ...environment(folder), ...env },
      stderr: "ignore",
    }),
  );
  const [{ tools }, { prompts }] = await Promise.all([client.listTools(), client.listPrompts()]);
  return {
    client,
    instructions: client.getInstructions() ?? "",
    tools: tools.map((tool) => tool.name),
    prompts: prompts.map((prompt) => `${prompt.name}: ${prompt.description}`),
    changed,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const kept = (folder: Folder): string[] =>
  existsSync(folder.at("cache/knack/mcp"))
    ? readdirSync(folder.at("cache/knack/mcp")).map((name) => folder.at("cache/knack/mcp", name))
    : [];

/** A file that changed less than a tick ago cannot be told by its time stamp: a server that starts then keeps no answers. */
const TICK_MS = 60;

/** Starts a server once, so that its answers are kept; again, where a file was too fresh after all. */
async function rehearse(folder: Folder, options: Options = {}): Promise<string> {
  await wait(TICK_MS);
  await expect
    .poll(async () => {
      await using _ = await begin(folder, options);
      return kept(folder);
    })
    .toHaveLength(1);
  return kept(folder)[0] ?? "";
}

const textOf = (file: string): string => loadWhole(file, MAGIC, (content) => content.toString("utf8")) ?? "";

/** Puts another text into what was kept, as only its owner can, to see where an answer is from. */
function mark(file: string): void {
  const marked = textOf(file)
    .replaceAll("Knack gives you skills", "KEPT gives you skills")
    .replaceAll('"description":"Reviews the code."', '"description":"KEPT"');
  saveParts(file, MAGIC, [Buffer.from(marked)]);
}

/** Keeps answers, marks them, makes a change, and says what the next client is told. */
async function after(folder: Folder, change: () => unknown, options: Options = {}): Promise<Begun> {
  mark(await rehearse(folder, options));
  await change();
  return begin(folder, options);
}

describe("the first answers of knack mcp", () => {
  it("are those of the last time while nothing is different, and the client is told where the server would answer otherwise", async () => {
    using folder = makeProject();
    await using first = await after(folder, () => {});
    expect(first.instructions).toContain("KEPT gives you");
    expect(first.instructions).toContain("- review: Reviews the code.");
    expect(first.tools).toEqual(expect.arrayContaining(["skill_search", "skill_load", "skill_read_file"]));
    expect(first.prompts).toEqual(["review: KEPT"]);
    // What is asked next is answered by the server itself, once.
    const { text } = await call(first.client, "skill_load", { name: "review" });
    expect(text).toContain("# review");
    await expect.poll(() => first.changed).toContain("notifications/tools/list_changed");
    expect(first.changed).toContain("notifications/prompts/list_changed");
    expect((await first.client.listPrompts()).prompts).toMatchObject([{ description: "Reviews the code." }]);
    // It also keeps its own answer.
    await expect.poll(() => textOf(kept(folder)[0] ?? "")).toContain("Knack gives you");
    await first.client.close();
    await using second = await begin(folder);
    expect(second.instructions).toContain("Knack gives you");
    expect(second.prompts).toEqual(["review: Reviews the code."]);
    await call(second.client, "skill_search", { query: "review" });
    expect(second.changed).toEqual([]);
  });

  it("are the server's own at the first start", async () => {
    using folder = makeProject();
    await using first = await begin(folder);
    expect(first.instructions).toContain("- review: Reviews the code.");
    // The project waits for its user's trust.
    expect(first.instructions).not.toContain("deploy");
    expect(first.instructions).toContain("1 skill of this project waits");
  });

  it.each<[string, (folder: Folder) => unknown, RegExp]>([
    [
      "the edit of a skill",
      (folder) => folder.write({ [`${HOME}/review/SKILL.md`]: skillText("review", "Reviews texts.") }),
      /- review: Reviews texts\./,
    ],
    [
      "a skill that no model may load any more",
      (folder) =>
        folder.write({
          [`${HOME}/review/SKILL.md`]: skillText(
            "review",
            "Reviews the code.",
            "disable-model-invocation: true\n",
          ),
        }),
      /^(?!.*review)/s,
    ],
    [
      "a new skill",
      (folder) => folder.write({ [`${HOME}/plan/SKILL.md`]: skillText("plan", "Plans.") }),
      /- plan: Plans\./,
    ],
    [
      "a new root",
      (folder) => folder.write({ "home/.claude/skills/plan/SKILL.md": skillText("plan", "Plans.") }),
      /- plan: Plans\./,
    ],
    [
      "a skill that is gone",
      (folder) => rmSync(folder.at(HOME, "review"), { recursive: true }),
      /^(?!.*review)/s,
    ],
    [
      "a root that is another folder",
      (folder) => {
        folder.write({ "other/plan/SKILL.md": skillText("plan", "Plans.") });
        renameSync(folder.at(HOME), folder.at("away"));
        symlinkSync(folder.at("other"), folder.at(HOME));
      },
      /^(?!.*review).*- plan: Plans\./s,
    ],
    [
      "a skill that was denied",
      (folder) => folder.write({ "home/.knack/config.yaml": DENY }),
      /^(?!.*review)/s,
    ],
    ["a skill that was disabled", (folder) => knack(folder, ["disable", "review"]), /^(?!.*review)/s],
    [
      "a project that is trusted now",
      (folder) => setTrusted(folder.at("repo"), true, { env: {}, home: folder.at("home") }),
      /- deploy: Deploys the project\./,
    ],
  ])("see %s at once", async (_what, change, expected) => {
    using folder = makeProject();
    await using begun = await after(folder, () => change(folder));
    expect(begun.instructions).toMatch(expected);
    expect([begun.instructions, ...begun.prompts].join()).not.toContain("KEPT");
  });

  it("name nothing of a project whose trust was taken back, nor of another folder", async () => {
    using folder = makeProject();
    const place = { env: {}, home: folder.at("home") };
    await setTrusted(folder.at("repo"), true, place);
    await using begun = await after(folder, () => setTrusted(folder.at("repo"), false, place));
    expect(begun.instructions).not.toMatch(/deploy|KEPT/);
    await using elsewhere = await begin(folder, { args: ["--cwd", folder.at("home")] });
    expect(elsewhere.instructions).not.toMatch(/deploy|KEPT/);
  });

  it("name no skill whose program or variable is gone", async () => {
    const needs = "eligibility: { binaries: [knack-test-tool], env: [KNACK_TEST_SET] }\n";
    using folder = makeProject({ [`${HOME}/tool/SKILL.md`]: skillText("tool", "Needs a tool.", needs) });
    writeFileSync(folder.at("bin/knack-test-tool"), "#!/bin/sh\n", { mode: 0o755 });
    const env = { PATH: `${folder.at("bin")}:${process.env.PATH}`, KNACK_TEST_SET: "1" };
    await using there = await after(folder, () => {}, { env });
    expect(there.instructions).toMatch(/KEPT.*- tool: Needs a tool\./s);
    rmSync(folder.at("bin/knack-test-tool"));
    await using gone = await begin(folder, { env });
    expect(gone.instructions).not.toMatch(/KEPT|Needs a tool/);
  });

  it("have every typed skill that the registry declares", async () => {
    using folder = makeTypedProject();
    const env = { KNACK_TRUST: "all" };
    mark(await rehearse(folder, { env }));
    await using begun = await begin(folder, { env });
    expect(begun.instructions).toContain("KEPT");
    expect(begun.tools).toContain("says");
    const file = folder.at("repo/skills/registry.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("name: says", "name: tells"));
    await using renamed = await begin(folder, { env });
    expect(renamed.tools).toContain("tells");
    expect(renamed.tools).not.toContain("says");
  });

  it.each<[string, (file: string, folder: Folder) => void]>([
    [
      "one byte is another",
      (file) => {
        const bytes = readFileSync(file);
        bytes[bytes.length - 9]! ^= 1;
        writeFileSync(file, bytes);
      },
    ],
    ["it is cut", (file) => writeFileSync(file, readFileSync(file).subarray(0, 500))],
    ["it is empty", (file) => writeFileSync(file, "")],
    [
      "it is a link",
      (file, folder) => {
        renameSync(file, folder.at("elsewhere"));
        symlinkSync(folder.at("elsewhere"), file);
      },
    ],
    [
      "its folder is a link",
      (_file, folder) => {
        renameSync(folder.at("cache/knack/mcp"), folder.at("elsewhere"));
        symlinkSync(folder.at("elsewhere"), folder.at("cache/knack/mcp"));
      },
    ],
    [
      "it is of another configuration",
      (file) => {
        const text = loadWhole(file, MAGIC, (content) => content.toString("utf8")) ?? "";
        saveParts(file, MAGIC, [Buffer.from(text.replace(/"binding":"../, '"binding":"00'))]);
      },
    ],
  ])("are the server's own where the file is not good: %s", async (_what, damage) => {
    using folder = makeProject();
    const file = await rehearse(folder);
    mark(file);
    damage(file, folder);
    await using begun = await begin(folder);
    expect(begun.instructions).toContain("Knack gives you");
    expect(begun.tools).toContain("skill_load");
  });

  it("are kept for each client and each choice of tools, and only their user can read them", async () => {
    using folder = makeProject();
    mark(await rehearse(folder));
    expect(statSync(kept(folder)[0] ?? "").mode & 0o777).toBe(0o600);
    await using other = await begin(folder, { name: "other-client" });
    expect(other.instructions).not.toContain("KEPT");
    await using all = await begin(folder, { args: ["--tools", "all"] });
    expect(all.tools).toContain("file_fingerprint");
  });

  it("do not hide a configuration that is wrong", async () => {
    using folder = makeProject();
    await rehearse(folder);
    folder.write({ "home/.knack/config.yaml": "permissions: { allow: [{ tol: x }] }\n" });
    // The server ends at once: it does not keep its client waiting.
    await expect(begin(folder)).rejects.toThrow("Connection closed");
  });

  it("are not kept where any file of a skill decides whether it may be loaded", async () => {
    using folder = makeProject({ "home/.knack/config.yaml": "skills: { locked: true }\n" });
    await using begun = await begin(folder);
    await begun.client.close();
    expect(kept(folder)).toEqual([]);
  });

  it("are enough for a client that leaves again", async () => {
    using folder = makeProject();
    await rehearse(folder);
    const all = lines(
      INITIALIZE,
      { method: "notifications/initialized" },
      { id: "two", method: "tools/list" },
      { id: "three", method: "prompts/list" },
    );
    for (const [input, answered] of [
      [all, [1, "two", "three"]],
      [lines(INITIALIZE), [1]],
    ] as const) {
      const { code, stdout } = knack(folder, ["mcp"], { input });
      const answers = stdout.trim().split("\n");
      expect([code, answers.map((line) => JSON.parse(line).id)]).toEqual([0, answered]);
    }
  });
});
