import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../packages/core/src/open-catalog.ts";
import { Embeddings } from "../../packages/core/src/search/embeddings/embeddings.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { answerWords, Endpoint, sendVectors, wordVector } from "./embeddings-server.ts";

const SKILLS = "repo/.agents/skills";
const FILES = {
  "repo/.git/": "",
  [`${SKILLS}/garage/SKILL.md`]: skillText("garage", "Fix a car that does not start."),
  [`${SKILLS}/notes/SKILL.md`]: skillText("notes", "Draft release notes from commits."),
};

function open(folder: Folder, url: string, more = "", env: NodeJS.ProcessEnv = {}): Promise<Catalog> {
  folder.write({
    "home/.knack/config.yaml": `skills: { search: { embeddings: { url: "${url}", model: test ${more} } } }\n`,
  });
  const { at } = folder;
  return openCatalog({ cwd: at("repo"), home: at("home"), env, cache: at("cache") });
}

type Wrong = readonly [
  what: string,
  said: string,
  (asked: { texts: readonly string[] }, response: ServerResponse) => void,
];

const vectors = (texts: readonly string[]): number[][] => texts.map((text) => wordVector(text));
const HUGE = `{"data":[${" ".repeat(1024 * 1024)}`;

const WRONG: readonly Wrong[] = [
  ["status 500", "answered with status 500", (_, response) => response.writeHead(500).end("secret text")],
  ["status 401", "answered with status 401", (_, response) => response.writeHead(401).end("secret text")],
  ["status 404", "answered with status 404", (_, response) => response.writeHead(404).end("secret text")],
  ["status 429", "answered with status 429", (_, response) => response.writeHead(429).end()],
  ["HTML", "answered something that is not JSON", (_, response) => response.end("<html>Hello</html>")],
  ["nothing", "answered something that is not JSON", (_, response) => response.end()],
  ["JSON of another kind", 'answered JSON without a list in "data"', (_, response) => response.end("[1]")],
  ["null", 'answered JSON without a list in "data"', (_, response) => response.end("null")],
  [
    "too few vectors",
    "answered 1 vectors for 2 texts",
    ({ texts }, response) => sendVectors(response, vectors(texts).slice(1)),
  ],
  [
    "one text twice",
    "answered two vectors for one text",
    (_, response) => response.end(`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`),
  ],
  [
    "a wrong number",
    "answered vectors with wrong numbers",
    (_, response) => response.end(`{"data":[{"index":7,"embedding":[1]},{"index":-1,"embedding":[1]}]}`),
  ],
  [
    "different lengths",
    "answered vectors of different lengths",
    ({ texts }, response) =>
      sendVectors(
        response,
        [
          [1, 2],
          [1, 2, 3],
        ].slice(0, texts.length),
      ),
  ],
  [
    "NaN",
    "answered a vector with something that is not a number",
    ({ texts }, response) =>
      sendVectors(
        response,
        texts.map(() => [1, Number.NaN]),
      ),
  ],
  [
    "infinity",
    "answered a vector that has no direction",
    ({ texts }, response) =>
      response.end(
        JSON.stringify({ data: texts.map(() => ({ embedding: [0] })) }).replaceAll("[0]", "[1e999]"),
      ),
  ],
  [
    "zeros",
    "answered a vector that has no direction",
    ({ texts }, response) =>
      sendVectors(
        response,
        texts.map(() => [0, 0]),
      ),
  ],
  [
    "text",
    "answered something that is not a vector",
    ({ texts }, response) =>
      sendVectors(
        response,
        texts.map(() => "AAAA"),
      ),
  ],
  [
    "a vector of a million numbers",
    "answered something that is not a vector",
    ({ texts }, response) =>
      sendVectors(
        response,
        texts.map(() => new Array(1e6).fill(1)),
      ),
  ],
  [
    "an endless answer",
    "answered more than 16 MB",
    (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(HUGE));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    },
  ],
  ["a closed connection", "does not answer (ECONNRESET)", (_, response) => response.destroy()],
  [
    "half an answer",
    "does not answer (ECONNRESET)",
    (_, response) => {
      response.writeHead(200, { "Content-Length": 1000 });
      response.write('{"data":', () => response.destroy());
    },
  ],
  [
    "a redirect",
    "answered with status 307",
    (_, response) => response.writeHead(307, { Location: "http://127.0.0.1:1/v1/embeddings" }).end(),
  ],
];

describe("search by words works the same, and says so, if the endpoint", () => {
  const query = "draft release notes";
  const note = (url: string, said: string): string[] => [
    `Searched by words only: the embeddings endpoint ${url} ${said}.`,
  ];

  it.each(WRONG)("answers skills with %s", async (_what, said, answer) => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start(answer);
    const catalog = await open(folder, endpoint.url);
    const found = await catalog.searchAsync(query);
    expect(found).toEqual({ ...catalog.search(query), notes: note(endpoint.url, said) });
    // With status 500 each text is tried by itself, then the query.
    expect(endpoint.asked.length).toBeLessThanOrEqual(4);
  });

  it.each(WRONG.filter(([what]) => !/too few|twice|wrong number|different/.test(what)))(
    "answers a query with %s",
    async (_what, said, answer) => {
      using folder = makeFolder(FILES);
      await using endpoint = await Endpoint.start(answerWords);
      const catalog = await open(folder, endpoint.url);
      expect(await catalog.searchAsync("automobile")).not.toHaveProperty("notes");
      endpoint.answer = answer;
      const found = await catalog.searchAsync(query);
      expect(found).toEqual({ ...catalog.search(query), notes: note(endpoint.url, said) });
    },
  );

  it("answers a query with a vector of another length, once", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    const catalog = await open(folder, endpoint.url);
    await catalog.searchAsync("automobile");
    endpoint.answer = ({ texts }, response) => {
      endpoint.answer = answerWords;
      sendVectors(
        response,
        texts.map(() => [1, 2, 3]),
      );
    };
    const found = await catalog.searchAsync(query);
    expect(found.notes).toEqual(note(endpoint.url, "answers vectors of different lengths"));
    endpoint.asked.length = 0;
    // The vectors of the skills were not thrown away.
    await (await open(folder, endpoint.url)).searchAsync("automobile");
    expect(endpoint.texts).toEqual(["automobile"]);
  });

  it("changes the length of its vectors all the time", async () => {
    using folder = makeFolder(FILES);
    let count = 0;
    await using endpoint = await Endpoint.start(({ texts }, response) => {
      // Twice the same, so that each change is believed.
      const length = 3 + (count++ >> 1);
      sendVectors(
        response,
        texts.map(() => new Array(length).fill(1)),
      );
    });
    const catalog = await open(folder, endpoint.url);
    const notes = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const { notes: said = [] } = await catalog.searchAsync(`${query} ${i}`);
      for (const line of said) notes.add(line);
    }
    expect([...notes]).toEqual(note(endpoint.url, "answers vectors of different lengths"));
    expect(endpoint.asked.length).toBeLessThan(50);
  });

  it("is gone", async () => {
    using folder = makeFolder(FILES);
    const gone = await Endpoint.start();
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    const catalog = await open(folder, url);
    const found = await catalog.searchAsync(query);
    expect(found).toEqual({ ...catalog.search(query), notes: note(url, "does not answer (ECONNREFUSED)") });
  });

  it("does not speak HTTP", async () => {
    using folder = makeFolder(FILES);
    const server = createServer((socket) => socket.on("error", () => undefined).end("220 mail ready\r\n"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const found = await (await open(folder, url)).searchAsync(query);
    expect(found.notes?.[0]).toContain("does not answer (");
    expect(found.count).toBeGreaterThan(0);
    server.close();
  });

  it("needs a key that is not set or cannot be one, and shows neither", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start();
    const unset = await (await open(folder, endpoint.url, ", apiKeyEnv: MY_KEY")).searchAsync(query);
    expect(unset.notes).toEqual(
      note(endpoint.url, "needs the environment variable MY_KEY, which is not set"),
    );
    const env = { MY_KEY: "hunter2\r\nX-Other: 1" };
    const broken = await (await open(folder, endpoint.url, ", apiKeyEnv: MY_KEY", env)).searchAsync(query);
    expect(broken.notes).toEqual(
      note(endpoint.url, "needs a key, and MY_KEY has characters that a key cannot have"),
    );
    expect(endpoint.asked).toEqual([]);
  });

  it("repeats the key or controls a terminal in its error: doctor shows neither", async () => {
    using folder = makeFolder(FILES);
    await using endpoint = await Endpoint.start((_, response) => {
      response.writeHead(401).end('{"error":{"message":"Wrong key hunter2 \\u001b[31m\u001b[31m"}}');
    });
    const catalog = await open(folder, endpoint.url, ", apiKeyEnv: MY_KEY", { MY_KEY: "hunter2" });
    const state = JSON.stringify(await catalog.checkEmbeddings());
    expect(state).toContain("Wrong key …");
    expect(state).not.toContain("hunter2");
    expect(JSON.parse(state).answer.said).not.toContain("\u001b");
  });
});

describe("an endpoint that is slow or fails", () => {
  const config = (url: string) => ({ url, model: "test" });
  const skills = [{ name: "garage", description: "Fix a car." }] as never;
  const times = { queryMs: 50, batchMs: 50, retryMs: 200 };
  const waiting = { waitMs: 5_000 };

  it("fails after the time for a query, and is not asked for a while", async () => {
    let isSlow = true;
    await using endpoint = await Endpoint.start((asked, response) => {
      if (!isSlow) answerWords(asked, response);
    });
    const embeddings = new Embeddings(config(endpoint.url), {}, null, times);
    const note = {
      note: `Searched by words only: the embeddings endpoint ${endpoint.url} did not answer within 0.05 seconds.`,
    };
    expect(await embeddings.compare(["car"], skills, waiting)).toEqual(note);
    expect(await embeddings.compare(["car"], skills, waiting)).toEqual(note);
    expect(endpoint.asked).toHaveLength(1);
    isSlow = false;
    await new Promise((done) => setTimeout(done, 250));
    expect(await embeddings.compare(["car"], skills, waiting)).toBeTypeOf("function");
  });
});
