import { readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../packages/core/src/open-catalog.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { Endpoint, sendVectors, wordVector } from "./embeddings-server.ts";

const SKILLS = "repo/.agents/skills";
const FILES = {
  "repo/.git/": "",
  [`${SKILLS}/garage/SKILL.md`]: skillText("garage", "Fix a car that does not start."),
  [`${SKILLS}/notes/SKILL.md`]: skillText("notes", "Draft release notes from commits."),
  [`${SKILLS}/review/SKILL.md`]: skillText("review", "Review a pull request."),
};

function open(folder: Folder, url: string, more = "", env: NodeJS.ProcessEnv = {}): Promise<Catalog> {
  folder.write({
    "home/.knack/config.yaml": `skills: { search: { embeddings: { url: "${url}", model: test ${more} } } }\n`,
  });
  const { at } = folder;
  return openCatalog({ cwd: at("repo"), home: at("home"), env, cache: at("cache") });
}

const names = ({ results }: { results: readonly { skill: { name: string } }[] }): string[] =>
  results.map(({ skill }) => skill.name);

describe("search with embeddings", () => {
  it("finds a skill that shares no word with the request, as a weaker match", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    const catalog = await open(folder, endpoint.url);
    expect(catalog.search("automobile").results).toEqual([]);
    const found = await catalog.searchAsync("automobile");
    expect(found.results[0]).toMatchObject({
      skill: { name: "garage" },
      reason: "semantic_match",
      matched: [],
      fits: false,
    });
    expect(found).toMatchObject({ count: 3, fitting: 0, truncated: false });
    expect(found).not.toHaveProperty("notes");
  });

  it("keeps what the words decide: names first, what fits, falling scores, the limit", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    const catalog = await open(folder, endpoint.url);
    const named = await catalog.searchAsync("notes");
    expect(named.results[0]).toMatchObject({ skill: { name: "notes" }, reason: "exact_name", fits: true });
    const words = catalog.search("review the pull request of the release", { limit: 3 });
    const both = await catalog.searchAsync("review the pull request of the release", { limit: 3 });
    const fitting = (results: typeof both.results): string[] =>
      names({ results: results.filter(({ fits }) => fits) }).sort();
    expect(fitting(both.results)).toEqual(fitting(words.results));
    const scores = both.results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect((await catalog.searchAsync("automobile", { limit: 1 })).count).toBe(1);
  });

  it("shows nothing that the caller may not see", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    const catalog = await open(folder, endpoint.url);
    const accepts = ({ name }: { name: string }): boolean => name !== "garage";
    expect(names(await catalog.searchAsync("automobile", { accepts }))).not.toContain("garage");
    expect((await catalog.searchAsync("automobile", { scope: "user" })).results).toEqual([]);
  });

  it("takes other phrasings into account", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    const catalog = await open(folder, endpoint.url);
    const found = await catalog.searchAsync("zzzz", { also: ["vehicle repair"] });
    expect(names(found)[0]).toBe("garage");
    expect(endpoint.asked.at(-1)?.texts).toEqual(["zzzz", "vehicle repair"]);
  });

  it("sends the model's name, prefixes, and the key of the named variable", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    const more = ', apiKeyEnv: MY_KEY, queryPrefix: "q: ", skillPrefix: "d: "';
    const catalog = await open(folder, endpoint.url, more, { MY_KEY: "hunter2" });
    await catalog.searchAsync("automobile");
    expect(endpoint.texts.toSorted()).toEqual([
      "d: garage: Fix a car that does not start.",
      "d: notes: Draft release notes from commits.",
      "d: review: Review a pull request.",
      "q: automobile",
    ]);
    for (const { model, headers } of endpoint.asked) {
      expect(model).toBe("test");
      expect(headers.authorization).toBe("Bearer hunter2");
    }
  });

  it("sends at most 1,200 bytes of a text, and no broken characters", async () => {
    using folder = makeFolder({
      ...FILES,
      [`${SKILLS}/long/SKILL.md`]: skillText("long", "審".repeat(1_000)),
    });
    await using endpoint = await Endpoint.start();
    const catalog = await open(folder, endpoint.url);
    await catalog.searchAsync("😀".repeat(2_000));
    for (const text of endpoint.texts) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_200);
      expect(text).not.toContain("\ufffd");
    }
  });

  it("asks nothing for an empty query, and nothing at all unless it is configured", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    const catalog = await open(folder, endpoint.url);
    expect(await catalog.searchAsync("  ")).toEqual(catalog.search("  "));
    expect(catalog.search("release notes").count).toBeGreaterThan(0);
    folder.write({ "home/.knack/config.yaml": "" });
    const without = await catalog.reload();
    expect(await without.searchAsync("release notes")).toEqual(without.search("release notes"));
    expect(endpoint.asked).toEqual([]);
  });
});

describe("docs/search.md", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/search.md"), "utf8");
  const examples = [...text.matchAll(/```yaml\n(# (\S+)[\s\S]*?embeddings:[\s\S]*?)```/g)];

  it.each(examples.map(([, yaml = "", name = ""]) => [name, yaml] as const))(
    "has a valid configuration for %s",
    async (_name, yaml) => {
      using folder = makeFolder({ ...FILES, "home/.knack/config.yaml": yaml });
      const { at } = folder;
      const { config } = await openCatalog({ cwd: at("repo"), home: at("home"), env: {}, cache: false });
      expect(config.skills.search.embeddings).toMatchObject({
        url: expect.stringMatching(/\/v1$/),
        model: expect.any(String),
      });
    },
  );

  it("has an example for each server that it names", () => {
    expect(examples.map(([, , name]) => name)).toEqual(["Ollama:", "llama.cpp:", "LM", "A"]);
  });
});

describe("vectors of skills", () => {
  const many = (count: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `${SKILLS}/skill-${i}/SKILL.md`,
        skillText(`skill-${i}`, `Task number ${i}.`),
      ]),
    );

  it("are made in batches of 32, two at a time, with progress", async () => {
    using folder = makeFolder({ ...FILES, ...many(157) });
    await using endpoint = await Endpoint.start();
    const { answer } = endpoint;
    endpoint.answer = async (asked, response) => {
      await sleep(20);
      return answer(asked, response);
    };
    const catalog = await open(folder, endpoint.url);
    const progress: string[] = [];
    await catalog.searchAsync("task", { onProgress: (done, total) => progress.push(`${done}/${total}`) });
    expect(endpoint.asked.map(({ texts }) => texts.length)).toEqual([32, 32, 32, 32, 32, 1]);
    expect(endpoint.mostAtOnce).toBe(2);
    expect(progress).toEqual(["32/160", "64/160", "96/160", "128/160", "160/160"]);
  });

  it("are kept by content: a later process asks only for what changed, in another project too", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    await (await open(folder, endpoint.url)).searchAsync("automobile");
    endpoint.asked.length = 0;
    folder.write({ [`${SKILLS}/notes/SKILL.md`]: skillText("notes", "Draft the changelog.") });
    await (await open(folder, endpoint.url)).searchAsync("vehicle");
    expect(endpoint.texts).toEqual(["notes: Draft the changelog.", "vehicle"]);
    endpoint.asked.length = 0;
    folder.write({
      "other/.git/": "",
      "other/.agents/skills/garage/SKILL.md": FILES[`${SKILLS}/garage/SKILL.md`],
    });
    const { at } = folder;
    const other = await openCatalog({ cwd: at("other"), home: at("home"), env: {}, cache: at("cache") });
    await other.searchAsync("vehicle");
    expect(endpoint.texts).toEqual(["vehicle"]);
  });

  it("of another model or address are others", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    await (await open(folder, endpoint.url)).searchAsync("automobile");
    await (await open(folder, endpoint.url.replace("127.0.0.1", "localhost"))).searchAsync("automobile");
    expect(endpoint.texts).toHaveLength(8);
  });

  it("of a damaged file are made again", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    await (await open(folder, endpoint.url)).searchAsync("automobile");
    const [name = ""] = readdirSync(folder.at("cache/embeddings"));
    const file = folder.at("cache/embeddings", name);
    truncateSync(file, statSync(file).size - 1);
    endpoint.asked.length = 0;
    expect(names(await (await open(folder, endpoint.url)).searchAsync("automobile"))[0]).toBe("garage");
    expect(endpoint.texts).toHaveLength(4);
  });

  it("are made again if the endpoint has another model now", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    const catalog = await open(folder, endpoint.url);
    await catalog.searchAsync("automobile");
    endpoint.answer = ({ texts }, response) =>
      sendVectors(
        response,
        texts.map((text) => wordVector(text, 128)),
      );
    for (const later of [catalog, await open(folder, endpoint.url)]) {
      const found = await later.searchAsync("vehicle");
      expect(found).not.toHaveProperty("notes");
      expect(names(found)[0]).toBe("garage");
    }
  });

  it("are missing only for a text that the endpoint refuses", async () => {
    using folder = makeFolder({ ...FILES, ...many(40) });
    await using endpoint = await Endpoint.start();
    const { answer } = endpoint;
    endpoint.answer = (asked, response) => {
      if (!asked.texts.some((text) => text.includes("number 7."))) return answer(asked, response);
      response.writeHead(500).end('{"error":{"message":"input is too large to process"}}');
    };
    const catalog = await open(folder, endpoint.url);
    const found = await catalog.searchAsync("automobile");
    expect(found).not.toHaveProperty("notes");
    expect(names(found)[0]).toBe("garage");
    endpoint.asked.length = 0;
    await catalog.searchAsync("vehicle");
    expect(endpoint.texts).toEqual(["vehicle"]);
  });

  it("are made in the background once a caller has waited, and a later search has them", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    const { answer } = endpoint;
    const { promise: gate, resolve: pass } = Promise.withResolvers<void>();
    endpoint.answer = async (asked, response) => {
      await gate;
      return answer(asked, response);
    };
    const catalog = await open(folder, endpoint.url);
    const early = await catalog.searchAsync("release notes", { waitMs: 0 });
    expect(early).toEqual({
      ...catalog.search("release notes"),
      notes: ["Searched by words only: 0 of 3 skills have vectors so far. A later search continues."],
    });
    expect(await catalog.searchAsync("release notes", { signal: AbortSignal.abort() })).toEqual(early);
    pass();
    const next = await catalog.refresh();
    expect(names(await next.searchAsync("automobile"))[0]).toBe("garage");
    expect(endpoint.texts).toHaveLength(4);
  });
});
