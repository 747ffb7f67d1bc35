import type { Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, it } from "vitest";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import { REPO } from "../cli/run.ts";
import { makeTypedProject } from "../cli/typed-skills.ts";
import { open, WAYS } from "./ways.ts";

const project = (): Folder =>
  makeTypedProject({
    [`${REPO}/review/SKILL.md`]: skillText("review", "Reviews a change.").replace(
      "# review\n",
      "Look at $ARGUMENTS.\n",
    ),
    [`${REPO}/review/references/list.md`]: "- one\n",
    [`${REPO}/other/SKILL.md`]: skillText("other", "Something else.").replace(
      "# other\n",
      "Look at $ARGUMENTS.\n",
    ),
    [`${REPO}/notes/SKILL.md`]: skillText("notes", "Writes release notes."),
    [`${REPO}/people/SKILL.md`]: skillText("people", "For people.", "disable-model-invocation: true\n"),
    [`${REPO}/denied/SKILL.md`]: skillText("denied"),
    "home/.knack/config.yaml":
      "mcp: { tools: all }\npermissions: { deny: [{ tool: skill_load, skill_name: denied }] }\n",
  });

/** By revision 2026-07-28. */
const ADDED = ["io.modelcontextprotocol/serverInfo", "ttlMs", "cacheScope"];

const TEMPLATE = { type: "ref/resource", uri: "skill://{+path}" } as const;

/** Every method of the server, with what is found, unknown, denied and wrong. Each skill is loaded once: ways without sessions repeat. */
const REQUESTS: readonly [name: string, ask: (client: Client) => unknown][] = [
  ["the instructions", (client) => client.getInstructions()],
  ["the capabilities", (client) => client.getServerCapabilities()],
  ["the server's name", (client) => client.getServerVersion()],
  ["tools/list", (client) => client.listTools()],
  ["prompts/list", (client) => client.listPrompts()],
  ["prompts/get", (client) => client.getPrompt({ name: "review", arguments: { arguments: "a.ts" } })],
  ["prompts/get of one for people", (client) => client.getPrompt({ name: "people" })],
  ["prompts/get of a denied one", (client) => client.getPrompt({ name: "denied" })],
  ["resources/list", (client) => client.listResources()],
  ["resources/templates/list", (client) => client.listResourceTemplates()],
  ["resources/read", (client) => client.readResource({ uri: "skill://review/references/list.md" })],
  ["resources/read of none", (client) => client.readResource({ uri: "skill://none/SKILL.md" })],
  [
    "completion/complete",
    (client) => client.complete({ ref: TEMPLATE, argument: { name: "path", value: "re" } }),
  ],
  ["skills/list", (client) => new SkillsClient(client).list()],
  ["skills/get", (client) => new SkillsClient(client).get("skill://review/SKILL.md")],
  ["skills/get of a denied one", (client) => new SkillsClient(client).get("skill://denied/SKILL.md")],
  ["resources/directory/read", (client) => new SkillsClient(client).readDirectory("skill://review")],
  ...(
    [
      ["skill_search", { query: "review" }],
      ["skill_search", { quarry: "review" }],
      ["skill_load", { name: "other", args: "a.ts" }],
      ["skill_load", { name: "nothing" }],
      ["skill_load", { name: "denied" }],
      ["Skill", { name: "notes" }],
      ["skill_read_file", { name: "review", file: "references/list.md" }],
      ["skill_dispatch", { role: "fixer", skill: "review" }],
      ["says", { params: { text: "nobody can be asked" } }],
      ["file_fingerprint", { inputs: [{ path: "no-such-file" }] }],
      ["no_such_tool", {}],
    ] as const
  ).map(([name, args]): (typeof REQUESTS)[number] => [
    `tools/call ${name} ${JSON.stringify(args)}`,
    (client) => client.callTool({ name, arguments: args }),
  ]),
];

describe("the six ways to reach the server", () => {
  it("answer every method with the same bytes", async () => {
    const answers = await Promise.all(
      WAYS.filter(({ transport }) => transport === "stdio").map((way) => answersOver(way)),
    );
    // Servers of this process share its environment: one after another.
    for (const way of WAYS.filter(({ transport }) => transport === "http"))
      answers.push(await answersOver(way));
    const [first, ...others] = answers;
    for (const other of others) expect(other).toEqual(first);
  });
});

async function answersOver(way: (typeof WAYS)[number]): Promise<Record<string, string>> {
  using folder = project();
  await using opened = await open(folder, way);
  const answers: Record<string, string> = {};
  for (const [name, ask] of REQUESTS)
    answers[name] = comparable(await answerOf(() => ask(opened.client)), folder);
  return answers;
}

async function answerOf(ask: () => unknown): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string };
    return { code, message };
  }
}

/** Without what a revision adds to each answer; folders and names made by chance differ between any two. */
function comparable(answer: unknown, folder: Folder): string {
  const plain =
    JSON.stringify(answer, (key, value) => (ADDED.includes(key) ? undefined : value)) ?? "nothing";
  return plain
    .replaceAll('"_meta":{},', "")
    .replaceAll(folder.path, "<folder>")
    .replaceAll(/skl_[0-9a-f]{16}/g, "<ref>")
    .replaceAll(/(?<="knack\/skill_id":")[0-9a-f]+|(?<="knack\/mtime_ms":)[\d.]+/g, "<of the file>")
    .replaceAll(/req-[\d-]{10}-[0-9a-f]{8}/g, "<request>");
}
