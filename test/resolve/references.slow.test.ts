import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { skillId } from "../../packages/core/src/catalog/tree.ts";
import { recognise } from "../../packages/core/src/dispatch/dispatch-request.ts";
import { type Catalog, openCatalog } from "../../packages/core/src/open-catalog.ts";
import { loadRouting } from "../../packages/core/src/routing/routing-file.ts";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import { type Answer, knack } from "../cli/run.ts";
import { converse, makeProject, outcome } from "../documents/conversation.ts";
import { InProcess } from "../http/in-process.ts";
import { call } from "../mcp/call.ts";
import { type Opened, open } from "../mcp/ways.ts";

/** `release` exists only in the project; `dup` in the project and for the user. */
const FILES = {
  "repo/.agents/skills/release/SKILL.md": skillText("release"),
  "repo/.agents/skills/dup/SKILL.md": skillText("dup"),
  "home/.agents/skills/dup/SKILL.md": skillText("dup"),
};
const RELEASE = "repo/.agents/skills/release/SKILL.md";
const USERS_DUP = "home/.agents/skills/dup/SKILL.md";

interface Case {
  readonly kind: string;
  readonly reference: (folder: Folder, idOf: (file: string) => string) => string;
  /** The file of the skill that is meant, or the code of the refusal. */
  readonly meant: string;
  /** Surfaces where names must be exact (slash commands, document 002 §5.3). */
  readonly exactly?: string;
}

const CASES: readonly Case[] = [
  { kind: "a name", reference: () => "release", meant: RELEASE },
  { kind: "capitals", reference: () => "RELEASE", meant: RELEASE, exactly: "NOT_FOUND" },
  { kind: "full-width letters", reference: () => "ｒｅｌｅａｓｅ", meant: RELEASE, exactly: "NOT_FOUND" },
  { kind: "an id", reference: (_, idOf) => idOf(USERS_DUP), meant: USERS_DUP },
  { kind: "scope:name", reference: () => "user:dup", meant: USERS_DUP },
  { kind: "a folder", reference: (folder) => folder.at("home/.agents/skills/dup"), meant: USERS_DUP },
  { kind: "a SKILL.md", reference: (folder) => folder.at(USERS_DUP), meant: USERS_DUP },
  { kind: "a relative path", reference: () => ".agents/skills/release", meant: RELEASE },
  { kind: "a path of the home folder", reference: () => "~/.agents/skills/dup", meant: USERS_DUP },
  { kind: "a name of several skills", reference: () => "dup", meant: "AMBIGUOUS" },
  { kind: "a name of none", reference: () => "releas", meant: "NOT_FOUND" },
];

let folder: Folder;
let http: InProcess;
let mcp: Opened;

beforeAll(async () => {
  folder = makeProject(FILES);
  http = await InProcess.start(folder, {});
  mcp = await open(folder, { transport: "stdio", revision: "2025-11-25" });
});

afterAll(async () => {
  await mcp?.[Symbol.asyncDispose]();
  await http?.[Symbol.asyncDispose]();
  folder?.[Symbol.dispose]();
});

function openHere(): Promise<Catalog> {
  return openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false });
}

const inFolder = (path: unknown): string => String(path).slice(folder.path.length + 1);

/** The result of an answer: a file below the folder, or a code. For a tool, an ambiguous name is `INVALID_PARAM`. */
function meaning(answer: {
  readonly error?: { readonly code: string } | undefined;
  readonly data?: Readonly<Record<string, unknown>>;
}): string {
  if (answer.error) return answer.data?.candidates ? "AMBIGUOUS" : answer.error.code;
  const { path, base_dir: dir } = answer.data ?? {};
  return inFolder(path ?? `${dir}/SKILL.md`);
}

const SURFACES: Readonly<Record<string, (reference: string) => Promise<string>>> = {
  library: async (reference) => {
    try {
      return inFolder((await openHere()).resolve(reference).path);
    } catch (error) {
      return (error as { code: string }).code;
    }
  },
  skill_load: async (name) => meaning(await (await converse(folder)).call("skill_load", { name })),
  Skill: async (name) => meaning(await (await converse(folder)).call("Skill", { name })),
  skill_read_file: async (name) => {
    const envelope = await (await converse(folder)).call("skill_read_file", { name, file: "SKILL.md" });
    return envelope.error ? meaning(envelope) : inFolder(envelope.context.path_resolved);
  },
  skill_dispatch: async (skill) => {
    const { session } = await converse(folder);
    const request = { role: "fixer", skill: { name: skill }, requestId: "r" } as const;
    try {
      const outcome = await session.dispatch(request, { actor: "person" });
      if (!("files" in outcome)) return "refused";
      return inFolder(outcome.files.find((file) => String(file).endsWith("SKILL.md")));
    } catch (error) {
      const { code, data } = error as { code: string; data?: { candidates?: unknown } };
      return data?.candidates ? "AMBIGUOUS" : code;
    }
  },
  "/skill": async (word) => meaning(await (await converse(folder)).execute(`/skill ${word}`)),
  "/help": async (word) => meaning(await (await converse(folder)).execute(`/help ${word}`)),
  "knack show": async (word) => {
    const { skill, error } = knack(folder, ["show", word, "--json"]).json();
    return error ? error.code : inFolder(skill.path);
  },
  "knack load": async (word) => meaning(JSON.parse(knack(folder, ["load", word, "--json"]).stdout)),
  "knack dispatch": async (word) => {
    const args = ["dispatch", "--role", "fixer", "--skill", word, "--dry-run", "--json"];
    const { files, error } = knack(folder, args).json();
    return error ? error.code : inFolder(files.find((file) => file.endsWith("SKILL.md")));
  },
  "JSON-RPC": async (name) => {
    const call = { jsonrpc: "2.0", id: 1, method: "skills.load", params: { name } };
    const env = { KNACK_TRUST: "all" };
    const { stdout } = knack(folder, ["rpc"], { input: `${JSON.stringify(call)}\n`, env });
    return meaning(JSON.parse(stdout.split("\n")[0] ?? "").result);
  },
  "MCP tool": async (name) => {
    const { code, text, meta } = await call(mcp.client, "skill_load", { name, force: true });
    if (code === undefined) return inFolder(meta["knack/path"]);
    return text.includes("name one by its path") ? "AMBIGUOUS" : String(code);
  },
  "MCP prompt": async (name) => {
    try {
      const { description, messages } = await mcp.client.getPrompt({ name });
      expect(description).toContain("Does ");
      return inFolder(/path=\\"([^"]+)\\"/.exec(JSON.stringify(messages))?.[1]);
    } catch (error) {
      return /could mean/.test(String(error)) ? "AMBIGUOUS" : "NOT_FOUND";
    }
  },
  "GET /api/skills": async (id) => {
    const url = `http://127.0.0.1:${http.port}/api/skills/${encodeURIComponent(id)}`;
    const answer = (await (await fetch(url, { headers: http.bearer })).json()) as Answer;
    return answer.error ? answer.error.code : inFolder(answer.skill.path);
  },
  "a route": async (skill) => {
    const text = `version: 1\ndefault: { role: fixer, skill: ${JSON.stringify(skill)}, reason: r }\n`;
    folder.write({ "repo/.agents/routing.yaml": text });
    try {
      return inFolder(loadRouting(await openHere(), true).default.skill?.path);
    } catch (error) {
      const { message } = error as Error;
      return /could mean|skills are called/.test(message) ? "AMBIGUOUS" : "NOT_FOUND";
    }
  },
  "a dispatch's caller": async (word) => {
    const { paths } = recognise({ catalog: await openHere(), typedSkills: [] }, word);
    const [one, ...others] = paths;
    return others.length > 0 ? "AMBIGUOUS" : one === undefined ? "NOT_FOUND" : inFolder(one);
  },
};

/** A URL path has no absolute paths, and no slash in a name. A prompt's name comes from a list. */
const HAS_NO_PATHS = ["GET /api/skills"];

describe.each(Object.keys(SURFACES))("%s takes", (surface) => {
  const cases = CASES.filter(
    ({ kind }) => !HAS_NO_PATHS.includes(surface) || !/path|folder|SKILL/.test(kind),
  );

  it.each(cases)("$kind", async ({ reference, meant, exactly }) => {
    const word = reference(folder, (file) => skillId(folder.at(file)));
    const isExact = surface.startsWith("/") || surface === "MCP prompt";
    expect(await SURFACES[surface]?.(word)).toBe(isExact ? (exactly ?? meant) : meant);
  });
});

/** What may name `user:dup` in a configuration, and whether it grants or only forbids. */
const ENTRIES: readonly (readonly [
  kind: string,
  entry: (folder: Folder, id: string) => string,
  grants: boolean,
])[] = [
  ["its name", () => "dup", true],
  ["its id", (_, id) => id, true],
  ["its folder", (at) => at.at("home/.agents/skills/dup"), true],
  ["a path of the home folder", () => "~/.agents/skills/dup/SKILL.md", true],
  ["a path from the folder of .knack", () => ".agents/skills/dup", true],
  ["capitals", () => "DUP", false],
  ["full-width letters", () => "ｄｕｐ", false],
  ["scope:name", () => "user:dup", false],
];

describe.each(ENTRIES)("a configuration that has %s", (_kind, entryOf, grants) => {
  const withConfig = (text: (entry: string) => string): Folder => {
    const project = makeProject(FILES);
    const entry = JSON.stringify(entryOf(project, skillId(project.at(USERS_DUP))));
    project.write({ "home/.knack/config.yaml": text(entry) });
    return project;
  };
  /** Every surface that takes a reference to a skill. */
  const ask = async (project: Folder): Promise<string[]> => {
    const words = [
      "user:dup",
      skillId(project.at(USERS_DUP)),
      project.at(USERS_DUP),
      "~/.agents/skills/dup",
      "USER:Dup",
    ];
    const conversation = await converse(project);
    const codes: string[] = [];
    for (const name of words) {
      const { error } = await conversation.call("skill_load", { name });
      codes.push(error?.code ?? "success");
    }
    return [...new Set(codes)];
  };

  it("denies the skill, however it is asked for", async () => {
    using project = withConfig(
      (entry) => `permissions: { deny: [{ tool: skill_load, skill_name: ${entry} }] }\n`,
    );
    expect(await ask(project)).toEqual(["ACCESS_DENIED"]);
  });

  it("switches the skill off, however it is asked for", async () => {
    using project = withConfig((entry) => `skills: { disabled: [${entry}] }\n`);
    expect(await ask(project)).toEqual(["ACCESS_DENIED"]);
  });

  it(grants ? "allows it" : "allows nothing: leave is for exactly the skill", async () => {
    using project = withConfig(
      (entry) => `permissions: { default: confirm, allow: [{ tool: skill_load, skill_name: ${entry} }] }\n`,
    );
    expect(await ask(project)).toEqual([grants ? "success" : "ACCESS_DENIED"]);
  });
});

describe("knack deny, allow, disable and enable take", () => {
  it.each(CASES.filter(({ meant }) => !/^[A-Z_]+$/.test(meant)))("$kind", ({ reference, meant }) => {
    using project = makeProject(FILES);
    const word = reference(project, (file) => skillId(project.at(file)));
    const load = (): string =>
      outcome(JSON.parse(knack(project, ["load", project.at(meant), "--json"]).stdout));
    for (const [command, after] of [
      ["deny", "ACCESS_DENIED"],
      ["allow", "success"],
      ["disable", "ACCESS_DENIED"],
      ["enable", "success"],
    ] as const) {
      const { code, stderr } = knack(project, [command, word]);
      expect(code, stderr).toBe(0);
      expect(load()).toBe(after);
    }
  });
});
