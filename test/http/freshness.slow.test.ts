import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCatalog } from "../../packages/core/src/open-catalog.ts";
import { isTrusted, setTrusted } from "../../packages/core/src/policy/trust.ts";
import { cases, fixedSeed } from "../../packages/core/src/shared/testing/cases.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { REPO } from "../cli/run.ts";
import { connectClient } from "./mcp-client.ts";
import { Server } from "./server.ts";

const project = (): Folder =>
  makeFolder({ "repo/.git/": "", "home/": "", [`${REPO}/one/SKILL.md`]: skillText("one") });

const addTwo = (folder: Folder): void =>
  folder.write({ [`${REPO}/two/SKILL.md`]: skillText("two"), [`${REPO}/two/notes.md`]: "notes\n" });

/** Whether the skill is there, by every route of the server, all at once. */
async function isThere(server: Server, client: Client, name: string): Promise<Record<string, boolean>> {
  const has = async (path: string): Promise<boolean> => (await server.get(path)).status === 200;
  const call = async (tool: string, params: object): Promise<boolean> => {
    const { isError } = await client.callTool({ name: tool, arguments: { ...params } });
    return isError !== true;
  };
  const [show, file, load, listed, search, mcpLoad, mcpFile, mcpSearch] = await Promise.all([
    has(`/api/skills/${name}`),
    has(`/api/skills/${name}/files/notes.md`),
    has(`/api/skills/${name}/load`),
    server.get("/api/skills").then((answer) => answer.text()),
    server.get(`/api/search?q=${name}`).then((answer) => answer.text()),
    call("skill_load", { name }),
    call("skill_read_file", { name, file: "notes.md" }),
    client.callTool({ name: "skill_search", arguments: { query: name } }),
  ]);
  const named = `/${name}/SKILL.md`;
  return {
    show,
    file,
    load,
    list: listed.includes(named),
    search: search.includes(named),
    mcpLoad,
    mcpFile,
    mcpSearch: JSON.stringify(mcpSearch).includes(`- ${name} (`),
  };
}

const everywhere = (there: boolean): Record<string, boolean> =>
  Object.fromEntries(
    ["show", "file", "load", "list", "search", "mcpLoad", "mcpFile", "mcpSearch"].map((way) => [way, there]),
  );

describe("the skills as they are now, by every way of one server", () => {
  it("a new skill is there for the very next request, and a removed one is not", async () => {
    using folder = project();
    await using server = await Server.start(folder);
    const client = await connectClient(server);
    for (let round = 0; round < 5; round++) {
      addTwo(folder);
      expect(await isThere(server, client, "two")).toEqual(everywhere(true));
      rmSync(folder.at(REPO, "two"), { recursive: true });
      expect(await isThere(server, client, "two")).toEqual(everywhere(false));
      await delay(round * 150);
    }
    await client.close();
  });

  it("SKILLS_REFRESH_ON_CALL=false: all keep to one snapshot until the skills are read again", async () => {
    using folder = project();
    await using server = await Server.start(folder, {
      env: { KNACK_TRUST: "all", SKILLS_REFRESH_ON_CALL: "false" },
    });
    const client = await connectClient(server);
    addTwo(folder);
    for (const until = Date.now() + 3_000; Date.now() < until; await delay(200))
      expect(await isThere(server, client, "two")).toEqual(everywhere(false));
    expect((await server.post("/api/policy", { action: "allow", skill: "one" })).status).toBe(200);
    expect(await isThere(server, client, "two")).toEqual(everywhere(true));
    await client.close();
  });
});

const NAMES = ["one", "two", "three"] as const;
const KINDS = [
  "add",
  "edit",
  "remove",
  "rename",
  "link",
  "deny",
  "disable",
  "allow all",
  "untrust",
  "trust",
] as const;
const change = fc.record({
  kind: fc.constantFrom(...KINDS),
  name: fc.constantFrom(...NAMES),
  to: fc.constantFrom(...NAMES),
  wait: fc.constantFrom(0, 0, 150),
});

async function apply(
  folder: Folder,
  { kind, name, to }: { kind: string; name: string; to: string },
): Promise<void> {
  const at = folder.at(REPO, name);
  const file = `${at}/SKILL.md`;
  const isThere = existsSync(file);
  const configure = (text: string): void => folder.write({ "home/.knack/config.yaml": text });
  if (kind === "add" && !isThere)
    folder.write({ [`${REPO}/${name}/SKILL.md`]: skillText(name), [`${REPO}/${name}/notes.md`]: "notes\n" });
  else if (kind === "edit" && isThere) {
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(/Use (w|W)hen/, (old) =>
        old === "Use when" ? "Use When" : "Use when",
      ),
    );
    utimesSync(file, 1, 1);
  } else if (kind === "remove") rmSync(at, { recursive: true, force: true });
  else if (kind === "rename" && existsSync(at) && !existsSync(folder.at(REPO, to)))
    renameSync(at, folder.at(REPO, to));
  else if (kind === "link" && existsSync(at)) {
    rmSync(at, { recursive: true });
    symlinkSync(folder.at("elsewhere", name), at);
  } else if (kind === "deny")
    configure(`permissions: { deny: [{ tool: skill_load, skill_name: ${name} }] }\n`);
  else if (kind === "disable") configure(`skills: { disabled: [${name}] }\n`);
  else if (kind === "allow all") configure("");
  else if (kind === "trust" || kind === "untrust")
    await setTrusted(folder.at("repo"), kind === "trust", { env: {}, home: folder.at("home") });
}

describe.each(["auto", "off"])("whatever changes, with KNACK_WATCH=%s", (watch) => {
  it("the next request sees it, and all interfaces say the same", async () => {
    using folder = project();
    folder.write(
      Object.fromEntries(NAMES.map((name) => [`elsewhere/${name}/SKILL.md`, skillText(name, "Elsewhere.")])),
    );
    await setTrusted(folder.at("repo"), true, { env: {}, home: folder.at("home") });
    await using server = await Server.start(folder, { env: { KNACK_WATCH: watch } });
    const client = await connectClient(server);
    await delay(1_000);
    const seed = fixedSeed();
    const home = folder.at("home");
    for (const { wait, ...one } of fc.sample(change, { seed, numRuns: cases(40) })) {
      await apply(folder, one);
      const what = `seed ${seed}: ${JSON.stringify(one)}`;
      // First the request after the change, then the expected result.
      const [listed, tools] = await Promise.all([
        server.json<{ skills: { name: string; mtimeMs: number }[] }>("/api/skills"),
        Promise.all(
          NAMES.map(async (name) => {
            const { isError } = await client.callTool({ name: "skill_load", arguments: { name } });
            return [name, isError !== true] as const;
          }),
        ),
      ]);
      const trusted = isTrusted(folder.at("repo"), { env: {}, home });
      const options = {
        cwd: folder.at("repo"),
        home,
        env: {},
        cache: false,
        trusted,
        withoutProject: !trusted,
      } as const;
      const expected = await openCatalog(options);
      const key = ({ name, mtimeMs }: { name: string; mtimeMs: number }): string => `${name} ${mtimeMs}`;
      // The list of the server is sorted by name.
      expect(listed.skills.map(key), what).toEqual(expected.skills.map(key).sort());
      const denied = expected.config.permissions.deny.map((rule) => rule.skill_name);
      const may = (name: string): boolean =>
        expected.skills.some((skill) => skill.name === name) && !denied.includes(name);
      expect(Object.fromEntries(tools), what).toEqual(
        Object.fromEntries(NAMES.map((name) => [name, may(name)])),
      );
      const found = await client.callTool({
        name: "skill_search",
        arguments: { query: "asked for one two three" },
      });
      for (const name of NAMES)
        if (!may(name)) expect(JSON.stringify(found), what).not.toContain(`/${name}/SKILL.md`);
      await delay(wait);
    }
    await client.close();
  });
});
