/**
 * What another user of the machine does to `knack serve`. It is passed to Node on standard input and uses only Node's own
 * modules, because it cannot read the files of the test. Prints one line of JSON per attempt.
 */
import { readdirSync, readFileSync } from "node:fs";

interface Aim {
  readonly url: string;
  readonly paths: readonly { readonly method: string; readonly path: string }[];
  /** Files and folders that it must not read. */
  readonly secrets: readonly string[];
  /** The right token with another case, and wrong tokens. */
  readonly wrong: readonly string[];
}

const aim = JSON.parse(process.argv.at(-1) ?? "") as Aim;
const mcp = `${aim.url}/mcp`;

function tell(what: string, status: number | string, body: string): void {
  process.stdout.write(`${JSON.stringify({ what, status, body })}\n`);
}

function readForeignFiles(): void {
  for (const path of aim.secrets)
    for (const read of [() => readFileSync(path, "utf8"), () => readdirSync(path).join()])
      try {
        tell(`read ${path}`, "read", read());
      } catch (error) {
        tell(`read ${path}`, String((error as NodeJS.ErrnoException).code), "");
      }
}

/** Ways to send something that is not the token. Each wrong one only once: more would be delayed. */
function disguises(): {
  readonly name: string;
  readonly headers: [string, string][];
  readonly query: string;
}[] {
  const [guess = ""] = aim.wrong;
  return [
    { name: "nothing", headers: [], query: "" },
    { name: "in the query", headers: [], query: `token=${guess}&access_token=${guess}` },
    {
      name: "in a cookie",
      headers: [["Cookie", `token=${guess}; Authorization=Bearer ${guess}`]],
      query: "",
    },
    {
      name: "in headers of its own",
      headers: [
        ["X-Knack-Token", guess],
        ["X-Forwarded-User", "root"],
      ],
      query: "",
    },
    {
      name: "another origin of itself",
      headers: [
        ["Origin", aim.url],
        ["Sec-Fetch-Site", "same-origin"],
      ],
      query: "",
    },
  ];
}

async function ask(
  what: string,
  url: string,
  method: string,
  headers: [string, string][] = [],
  body?: object,
): Promise<void> {
  const sent = method === "POST" || method === "PUT" ? { body: JSON.stringify(body ?? {}) } : {};
  try {
    const response = await fetch(url, {
      method,
      headers: [
        ...headers,
        ...(sent.body === undefined ? [] : [["Content-Type", "application/json"] as [string, string]]),
      ],
      signal: AbortSignal.timeout(15_000),
      ...sent,
    });
    tell(what, response.status, `${JSON.stringify([...response.headers])} ${await readSome(response)}`);
  } catch (error) {
    tell(what, "none", String(error));
  }
}

/** A stream that is accepted never ends. */
async function readSome(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  let text = "";
  const late = AbortSignal.timeout(1_500);
  late.addEventListener("abort", () => void reader?.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = (await reader?.read().catch(() => undefined)) ?? { done: true, value: undefined };
    if (done) return text;
    text += Buffer.from(value ?? []).toString("utf8");
  }
}

async function walkApi(): Promise<void> {
  for (const { method, path } of aim.paths)
    for (const { name, headers, query } of disguises()) {
      const url = `${aim.url}${path}${path.includes("?") ? "&" : "?"}${query}`;
      await ask(`${method} ${path}, ${name}`, url, method, headers, bodyFor(path));
    }
  for (const [i, token] of aim.wrong.entries())
    await ask(`wrong token ${i}`, `${aim.url}/api/skills`, "GET", [["Authorization", token]]);
  await ask(
    "two tokens",
    `${aim.url}/api/skills`,
    "GET",
    aim.wrong.slice(0, 2).map((token) => ["Authorization", token]),
  );
}

function bodyFor(path: string): object {
  if (path.startsWith("/api/run"))
    return { skill: "template_render", inputs: [{ role: "template", path: "t.liquid" }] };
  return { action: "disable", skill: "secret-skill" };
}

const SKILL = { name: "secret-skill" };
const CALLS: readonly (readonly [method: string, params: object])[] = [
  ["ping", {}],
  ["tools/list", {}],
  ["tools/call", { name: "skill_search", arguments: { query: "secret" } }],
  ["tools/call", { name: "skill_load", arguments: SKILL }],
  ["tools/call", { name: "Skill", arguments: SKILL }],
  ["tools/call", { name: "skill_read_file", arguments: { ...SKILL, file: "notes.md" } }],
  [
    "tools/call",
    { name: "skill_dispatch", arguments: { role: "fixer", skill: "secret-skill", prompt: "mine" } },
  ],
  ["tools/call", { name: "says", arguments: { params: { text: "mine" } } }],
  ["tools/call", { name: "file_fingerprint", arguments: { inputs: [{ path: "a.md" }] } }],
  ["tools/call", { name: "text_extract", arguments: { inputs: [{ path: "a.md" }] } }],
  ["prompts/list", {}],
  ["prompts/get", { name: "secret-skill" }],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "skill://secret-skill/SKILL.md" }],
  ["resources/directory/read", { uri: "skill://secret-skill" }],
  ["skills/list", {}],
  ["skills/get", { uri: "skill://secret-skill/SKILL.md" }],
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: "secret-skill" }, argument: { name: "arguments", value: "" } },
  ],
  ["logging/setLevel", { level: "debug" }],
  ["server/discover", {}],
];
const CAPABILITIES = { elicitation: { form: {}, url: {} }, roots: {}, sampling: {} };
const ACCEPT: [string, string][] = [
  ["Content-Type", "application/json"],
  ["Accept", "application/json, text/event-stream"],
];

/** Posts a message; answers a question in the answer's stream with yes, in a separate message. */
async function post(
  what: string,
  headers: [string, string][],
  message: object,
): Promise<{ session: string | null; text: string }> {
  try {
    const response = await fetch(mcp, {
      method: "POST",
      headers: [...ACCEPT, ...headers],
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      signal: AbortSignal.timeout(15_000),
    });
    const reader = response.body?.getReader();
    let text = "";
    const end = setTimeout(() => void reader?.cancel().catch(() => {}), 4_000);
    for (;;) {
      const { done, value } = (await reader?.read().catch(() => undefined)) ?? {
        done: true,
        value: undefined,
      };
      if (done) break;
      text += Buffer.from(value ?? []).toString("utf8");
      const question = /\{.*"method":"elicitation\/create".*\}/.exec(text)?.[0];
      if (question !== undefined) {
        text = text.replace(question, "");
        tell(`${what}, a question`, response.status, question);
        const { id } = JSON.parse(question) as { id: unknown };
        const yes = { jsonrpc: "2.0", id, result: { action: "accept", content: { remember: true } } };
        await fetch(mcp, { method: "POST", headers: [...ACCEPT, ...headers], body: JSON.stringify(yes) });
      }
    }
    clearTimeout(end);
    tell(what, response.status, `${JSON.stringify([...response.headers])} ${text}`);
    return { session: response.headers.get("mcp-session-id"), text };
  } catch (error) {
    tell(what, "none", String(error));
    return { session: null, text: "" };
  }
}

async function withSession(revision: string): Promise<void> {
  const clientInfo = { name: "other", version: "1" };
  const begin = { protocolVersion: revision, capabilities: CAPABILITIES, clientInfo };
  const { session } = await post(`${revision} initialize`, [], {
    id: 0,
    method: "initialize",
    params: begin,
  });
  const headers: [string, string][] = [
    ["Mcp-Session-Id", session ?? "guessed"],
    ["Mcp-Protocol-Version", revision],
  ];
  await post(`${revision} initialized`, headers, { method: "notifications/initialized" });
  for (const [i, [method, params]] of CALLS.entries())
    await post(`${revision} ${method} ${JSON.stringify(params)}`, headers, { id: i + 1, method, params });
  await ask(`${revision} stream`, mcp, "GET", [["Accept", "text/event-stream"], ...headers]);
  await ask(`${revision} end`, mcp, "DELETE", headers);
}

async function withoutSession(): Promise<void> {
  const revision = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "other", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
  };
  for (const [i, [method, given]] of CALLS.entries()) {
    const named = "name" in given ? String(given.name) : "uri" in given ? String(given.uri) : undefined;
    const headers: [string, string][] = [
      ["Mcp-Protocol-Version", revision],
      ["Mcp-Method", method],
      ...(named === undefined ? [] : [["Mcp-Name", named] as [string, string]]),
    ];
    const what = `${revision} ${method} ${JSON.stringify(given)}`;
    const { text } = await post(what, headers, { id: i, method, params: { ...given, _meta } });
    const requestState = /"requestState":"([^"]+)"/.exec(text)?.[1];
    if (requestState === undefined) continue;
    const inputResponses = { confirm: { action: "accept", content: { remember: true } } };
    await post(`${what}, answered by itself`, headers, {
      id: i,
      method,
      params: { ...given, _meta, requestState, inputResponses },
    });
  }
}

readForeignFiles();
await walkApi();
for (const revision of ["2025-06-18", "2025-11-25"]) await withSession(revision);
await withoutSession();
