import { describe, expect, it } from "vitest";
import { REPO } from "../cli/run.ts";
import { makeTypedProject } from "../cli/typed-skills.ts";
import { connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { checkWithPromtool, readPrometheus } from "./prometheus-format.ts";

describe("/metrics", () => {
  it("has at most 200 names of skills, whatever they are called", async () => {
    const hostile = [
      'quote"d',
      "back\\slash",
      "new\nline",
      "Zeilen\u2028trenner",
      "x".repeat(5_000),
      "ünï ☃",
    ];
    const names = [...hostile, ...Array.from({ length: 260 }, (_, at) => `skill-${at}`)];
    const files = names.map((name, at) => [
      `${REPO}/s${at}/SKILL.md`,
      `---\nname: ${JSON.stringify(name)}\ndescription: d\n---\nText.\n`,
    ]);
    using folder = makeTypedProject({
      "repo/.knack/config.yaml": "skills: { validation: lenient }\n",
      ...Object.fromEntries(files),
    });
    await using server = await Server.start(folder);
    const listed = await server.json<{ skills: { id: string; name: string }[] }>("/api/skills");
    expect(listed.skills.length).toBeGreaterThan(260);
    const client = await connectClient(server, { revision: "2026-07-28" });
    for (const [at] of files.entries()) {
      const params = { name: "skill_load", arguments: { path: folder.at(`${REPO}/s${at}`) } };
      expect((await client.callTool(params)).isError ?? false).toBe(false);
    }
    await client.close();
    const text = await (await server.get("/metrics")).text();
    const loads = readPrometheus(text).get("knack_loads_total")?.samples ?? [];
    const labels = loads.map((one) => one.labels.knack_skill_name ?? "");
    expect(new Set(labels).size).toBeLessThanOrEqual(201);
    expect(labels).toContain("other");
    for (const label of labels) expect(label.length).toBeLessThanOrEqual(200);
    for (const label of labels) expect(label).not.toMatch(/[\p{Cc}\u2028]/u);
    expect(labels).toContain('quote"d');
    expect(labels).toContain("back\\slash");
    const all = loads.reduce((sum, { value }) => sum + value, 0);
    expect(all).toBeGreaterThan(260);
    expect(text).not.toContain(server.token);
    checkWithPromtool(text);
  });
});
