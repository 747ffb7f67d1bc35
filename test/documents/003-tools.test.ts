import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { engineTools } from "../../packages/engine/src/engine-tools.ts";
import { openEngine } from "../../packages/engine/src/open-engine.ts";
import { converse, makeProject, outcome } from "./conversation.ts";

async function scene(files: Parameters<typeof makeProject>[0] = {}) {
  const folder = makeProject({ "repo/notes.md": "# Notes\n", ...files });
  const engine = await openEngine({
    projectRoot: folder.at("repo"),
    registry: [],
    store: `sqlite:${folder.at("repo/.knack/state.db")}`,
    env: {},
    home: folder.at("home"),
  });
  const talk = await converse(folder, { tools: engineTools(engine) });
  return {
    folder,
    talk,
    async [Symbol.asyncDispose]() {
      await engine.close();
      folder[Symbol.dispose]();
    },
  };
}

describe("a typed skill as a tool", () => {
  it("answers the run in the envelope, and what it cannot do as a refusal", async () => {
    await using at = await scene();
    const first = await at.talk.call("file_fingerprint", { inputs: [{ path: "notes.md" }] });
    expect(first).toMatchObject({
      status: "success",
      data: { status: "SUCCEEDED", cached: false, evidences: [{ kind: "FILE_HASH" }] },
    });
    expect(
      (await at.talk.call("file_fingerprint", { inputs: [{ role: "input", path: "notes.md" }] })).data.cached,
    ).toBe(true);
    for (const [params, code] of [
      [{ inputs: [{ path: "none.md" }] }, "NOT_FOUND"],
      [{ inputs: [{ path: "/etc/hostname" }] }, "ACCESS_DENIED"],
      [{ inputs: [] }, "INVALID_PARAM"],
      [{ inputs: "notes.md" }, "INVALID_PARAM"],
      [{ inputs: [{ path: "notes.md" }], params: { x: 1 } }, "INVALID_PARAM"],
      [{ files: [] }, "INVALID_PARAM"],
    ] as const)
      expect([JSON.stringify(params), outcome(await at.talk.call("file_fingerprint", params))]).toEqual([
        JSON.stringify(params),
        code,
      ]);
    const broken = await at.talk.call("text_extract", { inputs: [{ path: ".git" }] });
    expect(broken.status).toBe("error");
  });

  it("can be a command_tool, which no model reads", async () => {
    await using at = await scene({
      "repo/skills/hash/SKILL.md":
        "---\ninvocation_mode: tool_dispatch\ncommand_tool: file_fingerprint\ncommand: hash\n---\n",
    });
    const reaction = await at.talk.input('/hash {"inputs": [{"path": "notes.md"}]}');
    expect(reaction).toMatchObject({
      to: "person",
      envelope: { data: { skill: "file_fingerprint", status: "SUCCEEDED" } },
    });
  });

  it("and a SKILL.md of its name are one skill: the text explains it, the entry runs it", async () => {
    await using at = await scene({
      "repo/skills/text_extract/SKILL.md": "How to extract well.\n",
      "repo/.agents/skills/other/SKILL.md": skillText("other"),
    });
    const { text } = await at.talk.call("skill_load", { name: "text_extract" });
    expect(text).toContain("How to extract well.");
    expect(text).toContain("The tool text_extract runs this skill.");
    expect((await at.talk.call("skill_load", { name: "other" })).text).not.toContain("runs this skill");
  });
});
