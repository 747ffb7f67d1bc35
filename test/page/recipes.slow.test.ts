import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment } from "../cli/run.ts";
import { Server } from "../http/server.ts";
import { visit } from "./browser.ts";

const ROOT = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** What a newcomer writes for each row of CONTRIBUTING.md: a new file, or a change of one that is there. */
type Recipe = Readonly<Record<string, string | ((before: string) => string)>>;

/** Puts a text before a place of a file that must be there once. */
const before = (place: string, text: string) => at(place, `${text}${place}`);
const at = (place: string, by: string) => (file: string) => {
  expect(file.split(place), place).toHaveLength(2);
  return file.replace(place, () => by);
};

const CLIENT: Recipe = {
  "packages/core/src/config/client-folders.ts": before(
    "  cursor: {",
    '  parrot: { title: "Parrot", project: [".parrot/skills"], user: [".parrot/skills"] },\n',
  ),
};

const LINT_RULE: Recipe = {
  "packages/core/src/lint/rules.ts": before(
    '  quality(\n    "description-when",',
    '  quality("shouts", "note", "A line in capitals.", "Nobody likes it.", "Write it in small letters.", "DO IT NOW PLEASE"),\n',
  ),
  "packages/core/src/lint/quality.ts": (
    file,
  ) => `${before("  checkTriggerTests,\n];", "  checkShouting,\n")(file)}
function* checkShouting({ texts }: LintSkill): Generator<Remark> {
  for (const [at, line] of texts[0]?.lines.entries() ?? [])
    if (/^[A-Z ]{12,}$/.test(line))
      yield { rule: "shouts", severity: "note", file: "SKILL.md", line: at + 1, message: "A line in capitals." };
}
`,
};

const TOOL: Recipe = {
  "packages/core/src/tools/skill-count.ts": `import type { Tool } from "../access/tool.ts";
import { answerData, parameters } from "./parameters.ts";
import * as z from "zod";

const PARAMETERS = parameters({});
const COUNTED = answerData({ count: z.int() });

/** How many skills there are. */
export const skillCount: Tool = {
  name: "skill_count",
  description: "Count the skills.",
  inputSchema: PARAMETERS.inputSchema,
  dataSchema: COUNTED.jsonSchema,
  readOnly: true,
  role: "reader",
  searchHint: "count skills",
  idempotent: true,
  run: async (_params, { catalog }) => {
    const { length: count } = catalog.skills;
    return { data: { count }, text: \`There are \${count} skills.\` };
  },
};
`,
  "packages/core/src/live/runtime.ts": (file) =>
    before(
      "skillReadFile, dispatching",
      "skillCount, ",
    )(before("import { skillLoad }", 'import { skillCount } from "../tools/skill-count.ts";\n')(file)),
};

const PAGE: Recipe = {
  "packages/web/src/pages/denials/index.tsx": `import { usePages } from "../../api/data.ts";
import { ListPage } from "../../parts/list-page.tsx";
import { Empty } from "../../parts/states.tsx";

/** What was decided. */
export function Page() {
  const query = { type: "PERMISSION_DECIDED" };
  const keyOf = ({ seq }: { readonly seq: number }): string => String(seq);
  const pages = usePages("/api/audit", { query }, ({ events }) => events, keyOf, { reloadOn: ["log"] });
  return (
    <ListPage
      name="denials"
      title="Denials"
      label="Denials"
      buttons={null}
      filters={[]}
      pages={pages}
      keyOf={keyOf}
      row={({ actor }) => actor}
      chosen={null}
      onChoose={() => undefined}
      empty={<Empty icon="audit" title="Nothing was decided." />}
      noMatch=""
      back="/denials"
      hasDetail={false}
      detail={null}
    />
  );
}
`,
  "packages/web/src/app/app.tsx": before(
    '  ["/audit", page(',
    '  ["/denials", page(() => import("../pages/denials/index.tsx"))],\n',
  ),
  "packages/web/src/app/frame.ts": before(
    '  { path: "/audit",',
    '  { path: "/denials", words: "Denials", icon: "audit", key: "d" },\n',
  ),
  "packages/knack/src/http/routes/page.ts": before('  "/audit",', '  "/denials",\n'),
};

let copy: Folder;
let project: Folder;

/** The repository as a newcomer has it, with all recipes followed and built. */
beforeAll(async () => {
  copy = makeFolder();
  project = makeFolder({
    "repo/.git/": "",
    "repo/.parrot/skills/found/SKILL.md": `${skillText("found", "Finds what is lost. Use it when something is lost.")}DO IT NOW PLEASE\n`,
    "home/": "",
  });
  for (const name of ["package.json", "tsconfig.json", "scripts", "docs"])
    cpSync(join(ROOT, name), copy.at(name), { recursive: true });
  const skipped = /\/(?:node_modules|dist)$/;
  cpSync(join(ROOT, "packages"), copy.at("packages"), {
    recursive: true,
    filter: (path) => !skipped.test(path),
  });
  linkModules(join(ROOT, "node_modules"), copy.at("node_modules"));
  for (const recipe of [CLIENT, LINT_RULE, TOOL, PAGE])
    for (const [path, change] of Object.entries(recipe)) {
      mkdirSync(dirname(copy.at(path)), { recursive: true });
      const text = typeof change === "string" ? change : change(readFileSync(copy.at(path), "utf8"));
      writeFileSync(copy.at(path), text);
    }
  for (const script of ["man", "docs:lint"]) await run("npm", ["run", script], { cwd: copy.path });
  await run(process.execPath, [copy.at("scripts/build.ts"), "--program"], { cwd: copy.path }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${stdout}${stderr}`);
    },
  );
});
afterAll(() => {
  copy?.[Symbol.dispose]();
  project?.[Symbol.dispose]();
});

/** Every package of the repository, but Knack's own from the copy. */
function linkModules(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from))
    if (name === "@knack") {
      mkdirSync(join(to, name));
      for (const own of readdirSync(join(from, name)))
        symlinkSync(join("../../packages", own), join(to, name, own));
    } else symlinkSync(join(from, name), join(to, name));
}

const program = (): string => copy.at("packages/knack/bin/knack.js");
const options = () => ({ cwd: project.at("repo"), env: { ...environment(project), KNACK_TRUST: "all" } });

async function knack(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [program(), ...args], options());
  return stdout;
}

describe("CONTRIBUTING: what a newcomer adds by the recipes alone", () => {
  it("takes few files: a client's folder 1, a lint rule 2, a tool 2, a page 4, each with its page of docs", () => {
    const files = [CLIENT, LINT_RULE, TOOL, PAGE].map((recipe) => Object.keys(recipe).length);
    expect(files).toEqual([1, 2, 2, 4]);
  });

  it("names every file of the recipes", () => {
    const guide = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
    for (const path of [CLIENT, LINT_RULE, TOOL, PAGE].flatMap((recipe) => Object.keys(recipe))) {
      const name = path.replace("skill-count", "<tool>").replace("denials", "<page>");
      expect(guide, name).toContain(name.slice(name.indexOf("src/") + 4));
    }
  });

  it("is in the pages that are written from the source, before anything is built", () => {
    expect(readFileSync(copy.at("packages/knack/man/knack.1"), "utf8")).toContain("parrot");
    expect(readFileSync(copy.at("docs/lint.md"), "utf8")).toContain("### shouts");
  });

  it("a client's folder is searched", async () => {
    expect(JSON.parse(await knack("list", "--json")).skills).toMatchObject([
      { name: "found", client: "parrot" },
    ]);
  });

  it("a lint rule is reported", async () => {
    const { notes } = JSON.parse(await knack("lint", ".parrot/skills/found", "--json"));
    expect(notes).toContainEqual(expect.objectContaining({ rule: "shouts", line: 6 }));
  });

  it("a tool is listed and answers over MCP", async () => {
    const client = new Client({ name: "test", version: "1" });
    const { cwd, env } = options();
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [program(), "mcp"], cwd, env }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("skill_count");
    expect(await client.callTool({ name: "skill_count", arguments: {} })).toMatchObject({
      content: [{ type: "text", text: "There are 1 skills." }],
    });
    await client.close();
  });

  it("a page is in the rail and shows its list", async () => {
    await using server = await Server.start(project, { program: program() });
    await using page = await visit(server, "/");
    await page.getByRole("link", { name: "Denials" }).first().click();
    // What the tool above was permitted is in the log.
    await page.getByRole("grid", { name: "Denials" }).getByText("mcp").first().waitFor();
  });
});
