import type { Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { HOME, knack, REPO } from "../cli/run.ts";
import { call } from "./call.ts";
import { hearChanges, open, SOME_WAYS } from "./ways.ts";

/** Every way in which a client learns of skills, with the names that it returns. */
async function told(client: Client): Promise<Record<string, string[]>> {
  const { prompts } = await client.listPrompts(undefined, { cacheMode: "refresh" });
  const { resources } = await client.listResources(undefined, { cacheMode: "refresh" });
  const { skills } = await new SkillsClient(client).list();
  const found = await Promise.all(
    ["apple", "pear"].map(async (name) => {
      const { text } = await call(client, "skill_search", { query: name });
      return text.includes(`- ${name} (`) ? [name] : [];
    }),
  );
  return {
    search: found.flat(),
    prompts: prompts.map(({ name }) => name),
    resources: resources.map(({ name }) => name),
    skills: skills.map(({ frontmatter }) => String(frontmatter.name)),
  };
}

function everywhere(names: string[]): Record<string, string[]> {
  return { search: names, prompts: names, resources: names, skills: names };
}

const project = (): Folder =>
  makeFolder({
    "repo/.git/": "",
    [`${REPO}/apple/SKILL.md`]: skillText("apple"),
    [`${HOME}/pear/SKILL.md`]: skillText("pear"),
  });

describe.each(SOME_WAYS)("what the user says while the server runs, over $name", (way) => {
  it("trust, switches and rules hold on every way, and the client hears of them", async () => {
    using folder = project();
    await using opened = await open(folder, way, { env: { KNACK_TRUST: "" } });
    const { client } = opened;
    const heard = await hearChanges(client, way);
    expect(await told(client)).toEqual(everywhere(["pear"]));
    for (const [command, names] of [
      [
        ["trust", "--yes"],
        ["apple", "pear"],
      ],
      [["disable", "pear"], ["apple"]],
      [
        ["enable", "pear"],
        ["apple", "pear"],
      ],
      [["deny", "pear"], ["apple"]],
      [
        ["allow", "pear"],
        ["apple", "pear"],
      ],
      [["trust", "--revoke"], ["pear"]],
    ] as const) {
      heard.clear();
      expect(knack(folder, command).code, command.join(" ")).toBe(0);
      const { isError } = await client.callTool({ name: "skill_load", arguments: { name: "apple" } });
      expect(isError ?? false, command.join(" ")).toBe(!(names as readonly string[]).includes("apple"));
      await expect.poll(() => heard.size, { message: command.join(" ") }).toBe(3);
      expect(await told(client), command.join(" ")).toEqual(everywhere([...names]));
    }
  });
});
