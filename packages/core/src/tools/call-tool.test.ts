import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Envelope, Tool } from "../access/tool.ts";
import { createRuntime } from "../live/create-runtime.ts";
import { KnackError } from "../shared/errors.ts";
import { checkEnvelope } from "../testing/envelope.ts";
import { type Folder, makeFolder, skillText } from "../testing/files.ts";
import { skillTool } from "./skill.ts";
import { skillLoad } from "./skill-load.ts";
import { skillReadFile } from "./skill-read-file.ts";
import { skillSearch } from "./skill-search.ts";

/** What a host's tool that does this is answered with. */
async function answerOf(run: unknown, signal?: AbortSignal): Promise<Envelope> {
  using folder = makeFolder({ "repo/.git/": "", "home/": "" });
  const tool = { name: "of_host", description: "A tool.", inputSchema: { type: "object" }, run } as Tool;
  const runtime = await createRuntime({
    cwd: folder.at("repo"),
    home: folder.at("home"),
    env: {},
    cache: false,
    tools: [tool],
  });
  const options = signal ? { signal } : {};
  const answer = await runtime.session().call("of_host", {}, options);
  expect(checkEnvelope(answer)).toEqual([]);
  expect(checkEnvelope(JSON.parse(JSON.stringify(answer)))).toEqual([]);
  return answer;
}

const circle: Record<string, unknown> = {};
circle.again = circle;
const good = { data: {}, text: "Done." };

describe("every call is answered by the rules of the envelope, whatever a host's tool does", () => {
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a text", "text"],
    ["a list", [good]],
    ["no data", { text: "Done." }],
    ["data that is null", { ...good, data: null }],
    ["data that is a list", { ...good, data: [1] }],
    ["data in a circle", { ...good, data: circle }],
    ["data that JSON does not know", { ...good, data: { n: 1n } }],
    ["no text", { data: {} }],
    ["an empty text", { ...good, text: "" }],
    ["a number as text", { ...good, text: 5 }],
    ["statistics that are no numbers", { ...good, stats: { a: Number.NaN } }],
    ["a path that is none", { ...good, pathResolved: 5 }],
  ])("%s is an internal error that names the tool", async (_what, result) => {
    const { error } = await answerOf(async () => result);
    expect(error).toMatchObject({ code: "INTERNAL_ERROR", message: expect.stringContaining("of_host") });
  });

  it.each<[string, unknown]>([
    ["a text", "wrong"],
    ["nothing", undefined],
    ["an error without a message", new Error("")],
    ["an unknown code without data", new KnackError("NO_CODE" as never, "", { data: null as never })],
    ["data in a circle", new KnackError("CONFLICT", "Wrong.", { data: circle })],
  ])("thrown: %s", async (_what, thrown) => {
    const { status } = await answerOf(async () => {
      throw thrown;
    });
    expect(status).toBe("error");
  });

  it("a tool writes no envelope of its own", async () => {
    const answer = await answerOf(async () => ({ ...good, status: "error", error: 5, more: true }));
    expect([answer.status, answer.text]).toEqual(["success", "Done."]);
  });

  it("a tool that never answers is given up when the caller says so", async () => {
    const never = (): Promise<never> => new Promise(() => {});
    expect((await answerOf(never, AbortSignal.timeout(20))).error?.code).toBe("TIMEOUT");
    expect((await answerOf(never, AbortSignal.abort())).error?.code).toBe("TIMEOUT");
    expect((await answerOf(async () => good, AbortSignal.timeout(10_000))).status).toBe("success");
  });
});

describe("a parameter that a model had to fill in is not given", () => {
  const open = (folder: Folder) =>
    createRuntime({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false, tools: [echo] });
  const echo: Tool = {
    name: "echo",
    description: "Says what it was given.",
    inputSchema: {
      type: "object",
      properties: { must: { type: "string" }, may: {}, also: {} },
      required: ["must"],
    },
    run: async (params) => ({ data: { ...params }, text: "Given." }),
  };
  const makeProject = (): Folder =>
    makeFolder({
      "repo/.git/": "",
      "repo/.agents/skills/review/SKILL.md": skillText("review", "Review a pull request."),
      "repo/.agents/skills/review/more.md": "More.",
      "home/.agents/skills/taxes/SKILL.md": skillText("taxes", "Fill in a tax return."),
    });

  it.each([null, "", 0])("%j, of any tool, and only where it is optional", async (nothing) => {
    using folder = makeProject();
    const session = (await open(folder)).session();
    const { data } = await session.call("echo", { must: "", may: nothing, also: false, unknown: nothing });
    expect(data).toEqual({ must: "", also: false, unknown: nothing });
  });

  it.each<[string, object, string]>([
    [
      "skill_load",
      { name: "review", path: "", ref: "", force: false, args: "", offset: 0 },
      "<skill_context",
    ],
    [
      "skill_load",
      { name: "review", path: null, ref: null, force: null, args: null, offset: null },
      "<skill_c",
    ],
    ["Skill", { name: "review", args: null, offset: 0 }, "Base directory"],
    ["skill_read_file", { name: "review", path: "", file: "more.md", offset: 0, limit: 0 }, "More."],
    ["skill_search", { query: "review a pull request", also: [], limit: 0, scope: "" }, "review"],
    ["skill_search", { query: "review a pull request", also: null, limit: null, scope: null }, "review"],
  ])("%s %j", async (tool, params, text) => {
    using folder = makeProject();
    const { status, text: told } = await (await open(folder)).session().call(tool, params);
    expect([status, told]).toEqual(["success", expect.stringContaining(text)]);
  });

  it("a scope hides no skill that fits from a model", async () => {
    using folder = makeProject();
    const session = (await open(folder)).session();
    const other = await session.call("skill_search", { query: "fill in a tax return", scope: "repo" });
    expect(other.data).toMatchObject({
      fitting: 1,
      results: expect.arrayContaining([expect.objectContaining({ name: "taxes" })]),
    });
    const both = { query: "review", also: ["fill in a tax return"], scope: "user" };
    expect((await session.call("skill_search", both)).text).toMatch(
      /- taxes[\s\S]*1 more fits in another scope/,
    );
    const person = await session.call(
      "skill_search",
      { query: "tax return", scope: "repo" },
      { actor: "person" },
    );
    expect(person.data).toMatchObject({ fitting: 0 });
  });

  it("copies of a skill are one line that names the other places", async () => {
    const taxes = skillText("taxes", "Fill in a tax return.");
    using folder = makeFolder({
      "repo/.git/": "",
      "home/.agents/skills/taxes/SKILL.md": taxes,
      ...Object.fromEntries(["a", "b", "c"].map((at) => [`home/.agents/skills/${at}/taxes/SKILL.md`, taxes])),
    });
    const { text, data } = await (await open(folder)).session().call("skill_search", { query: "tax return" });
    expect(data).toMatchObject({ count: 1, fitting: 1 });
    expect(text.match(/^- taxes/gm)).toHaveLength(1);
    expect(text).toMatch(/SKILL\.md; also \S+SKILL\.md, \S+SKILL\.md and 1 more/);
  });
});

/** Hosts have them. */
const published = JSON.parse(
  readFileSync(join(import.meta.dirname, "testing", "tool-schemas.json"), "utf8"),
) as Record<string, object>;

describe("the published schemas of Knack's own tools", () => {
  it.each([skillLoad, skillTool, skillReadFile, skillSearch])(
    "$name says what it said",
    ({ name, inputSchema, dataSchema }) => {
      expect({ inputSchema, dataSchema }).toEqual(published[name]);
    },
  );
});
