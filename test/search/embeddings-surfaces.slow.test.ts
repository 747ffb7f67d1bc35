import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRuntime } from "../../packages/core/src/live/create-runtime.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { knack, program, REPO } from "../cli/run.ts";
import { Server } from "../http/server.ts";
import { call } from "../mcp/call.ts";
import { open, WAYS } from "../mcp/ways.ts";
import { ModelProcess } from "./embeddings-server.ts";

let model: ModelProcess;
beforeAll(async () => {
  model = await ModelProcess.start();
});
afterAll(() => model[Symbol.asyncDispose]());

/** A request that shares no word with the skill, which the model finds nearest. */
const QUERY = "my automobile will not start";
const FILES = {
  "repo/.git/": "",
  [`${REPO}/garage/SKILL.md`]: skillText("garage", "Car repair and engine trouble."),
  [`${REPO}/notes/SKILL.md`]: skillText("notes", "Draft release notes from commits."),
  [`${REPO}/review/SKILL.md`]: skillText("review", "Review a pull request for security problems."),
  [`${REPO}/recipes/SKILL.md`]: skillText("recipes", "Plan dinner and write a shopping list."),
};

function project(url: string): Folder {
  const embeddings = `{ url: "${url}", model: universal-sentence-encoder }`;
  return makeFolder({
    ...FILES,
    "home/.knack/config.yaml": `skills: { search: { embeddings: ${embeddings} } }\n`,
  });
}

interface Found {
  readonly results: readonly { readonly skill: { readonly name: string }; readonly reason: string }[];
  readonly notes?: readonly string[];
}

const NEAREST = { skill: { name: "garage" }, reason: "semantic_match", fits: false };
const GONE = "http://127.0.0.1:9/v1";
const NOTE = `Searched by words only: the embeddings endpoint ${GONE} does not answer (ECONNREFUSED).`;

describe("with a real model, a skill that shares no word with the request is nearest", () => {
  it("in knack search, in a new process with the vectors of the one before", () => {
    using folder = project(model.url);
    for (let round = 0; round < 2; round++) {
      const { code, stderr, stdout } = program(folder, ["search", QUERY, "--json"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect((JSON.parse(stdout) as Found).results[0]).toMatchObject(NEAREST);
    }
    expect(knack(folder, ["search", QUERY]).stdout).toMatch(
      /^Nothing fits\. Nearest:\n.*\ngarage +semantic_match /,
    );
  });

  it("in knack serve", async () => {
    using folder = project(model.url);
    await using server = await Server.start(folder);
    const response = await server.get(`/api/search?q=${encodeURIComponent(QUERY)}`);
    const found = (await response.json()) as Found;
    expect(found.results[0]).toMatchObject(NEAREST);
    expect(found).not.toHaveProperty("notes");
  });

  it("in knack mcp", async () => {
    using folder = project(model.url);
    const [way] = WAYS;
    if (!way) throw new Error("No way.");
    await using opened = await open(folder, way);
    const { text } = await call(opened.client, "skill_search", { query: QUERY });
    expect(text).toMatch(
      /^Nothing fits\..*\nNearest, probably about something else:\n- garage \(repo, semantic_match\)/,
    );
  });

  it("in a session of the library", async () => {
    using folder = project(model.url);
    const { at } = folder;
    const runtime = await createRuntime({ cwd: at("repo"), home: at("home"), env: {}, cache: at("cache") });
    const { data } = await runtime.session().call("skill_search", { query: QUERY });
    expect(data).toMatchObject({ results: [{ name: "garage", reason: "semantic_match" }, {}, {}, {}] });
  });

  it("and knack doctor says what answers", () => {
    using folder = project(model.url);
    const checkOf = (): object | undefined =>
      knack(folder, ["doctor", "--json"])
        .json()
        .checks.find(({ name }) => name === "embeddings");
    const message = (vectors: number): RegExp =>
      new RegExp(
        `^universal-sentence-encoder at ${model.url}, 512 numbers in \\d+ ms; ${vectors} of 4 skills have a vector$`,
      );
    expect(checkOf()).toMatchObject({ ok: true, message: expect.stringMatching(message(0)) });
    knack(folder, ["search", QUERY]);
    expect(checkOf()).toMatchObject({ ok: true, message: expect.stringMatching(message(4)) });
  });
});

describe("if the endpoint is gone, results are those of the words, and a note says so", () => {
  it("in knack search", () => {
    using folder = project(GONE);
    const { code, stderr, stdout } = knack(folder, ["search", "release", "notes", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `note: ${NOTE}\n` });
    const { notes, ...found } = JSON.parse(stdout);
    expect(notes).toEqual([NOTE]);
    folder.write({ "home/.knack/config.yaml": "" });
    expect(knack(folder, ["search", "release", "notes", "--json"]).json()).toEqual(found);
  });

  it("in knack serve and mcp", async () => {
    using folder = project(GONE);
    await using server = await Server.start(folder);
    const found = (await (await server.get("/api/search?q=release")).json()) as Found;
    expect(found.results[0]?.skill.name).toBe("notes");
    expect(found.notes).toEqual([NOTE]);
    const [way] = WAYS;
    if (!way) throw new Error("No way.");
    await using opened = await open(folder, way);
    const { text } = await call(opened.client, "skill_search", { query: "release" });
    expect(text).toMatch(/^1 skill fits, best first\./);
    expect(text.split("\n").at(-1)).toBe(`Note: ${NOTE}`);
  });

  it("in knack doctor, with exit 1", () => {
    using folder = project(GONE);
    const { code, json } = knack(folder, ["doctor", "--json"]);
    expect(code).toBe(1);
    expect(json().checks.filter(({ ok }) => !ok)).toMatchObject([
      {
        name: "embeddings",
        message: expect.stringContaining(`at ${GONE} does not answer (ECONNREFUSED). Until it answers`),
        hint: expect.stringContaining("skills.search.embeddings"),
      },
    ]);
  });
});

describe("an untrusted project", () => {
  it("cannot have texts sent anywhere", () => {
    using folder = makeFolder({
      ...FILES,
      "repo/.knack/config.yaml": `skills: { search: { embeddings: { url: "${GONE}", model: m } } }\n`,
    });
    const { stderr, stdout } = knack(folder, ["search", "release", "--json"]);
    expect(JSON.parse(stdout)).not.toHaveProperty("notes");
    expect(stderr).toContain('"skills.search.embeddings" in ');
  });
});
