import { describe, expect, it } from "vitest";
import { makeTypedProject } from "../cli/typed-skills.ts";
import { Server } from "../http/server.ts";
import { Receiver, runProgram } from "./receiver.ts";

const SECRET = "sk-live-51Habcdefghijklmnopqrstuvwxyz";
const CONTENT = "the-content-of-a-file-nobody-should-see";

/** Puts everything it knows wherever it can: codes, messages, logs. */
const LEAKS = `
import { readFileSync } from "node:fs";
export const run = ({ params, inputs, log }) => {
  const text = params.api_key + " " + readFileSync(inputs[0].path, "utf8");
  log(text);
  if (params.fails === "throws") throw Object.assign(new Error(text), { code: text, name: text });
  return { status: "FAILED", artifacts: [], evidences: [], error: { code: text, message: text } };
};
`;
const REGISTRY = `version: 1
skills:
  - name: leaks
    implementation: "impl/leaks.mjs:run"
    inputs: [{ kind: FILE, role: in }]
    outputs: { artifacts: [], evidences: [] }
    params: { schema: { type: object, properties: { api_key: { type: string }, fails: { type: string } } } }
    idempotency: { cache: true }
`;

describe("what is sent", () => {
  it("has no secret, no content, no path and no message in any byte", async () => {
    using folder = makeTypedProject({
      "repo/skills/registry.yaml": REGISTRY,
      "repo/impl/leaks.mjs": LEAKS,
      "repo/secret.txt": CONTENT,
      "repo/.agents/skills/s/SKILL.md": `---\nname: s\ndescription: ${CONTENT}\n---\n${CONTENT}\n`,
    });
    await using receiver = await Receiver.start();
    for (const fails of ["throws", "returns"]) {
      const run = ["run", "leaks", "--input", "secret.txt", "--param", `api_key=${SECRET}`];
      const { code } = await runProgram(folder, [...run, "--param", `fails=${fails}`], receiver.env);
      expect(code).toBe(1);
    }
    await runProgram(folder, ["search", SECRET, CONTENT], receiver.env);
    await runProgram(folder, ["load", "s", "--args", SECRET], receiver.env);
    await runProgram(folder, ["show", `no-${SECRET}`], receiver.env);
    await runProgram(folder, ["list", "--cwd", folder.at("repo")], receiver.env);
    const server = await Server.start(folder, {
      env: { KNACK_TRUST: "all", KNACK_TOKEN: `token-${SECRET}`, ...receiver.env },
    });
    const inputs = [{ role: "in", path: "secret.txt" }];
    await server.post("/api/run", { skill: "leaks", inputs, params: { api_key: SECRET } });
    await server.get(`/api/search?q=${SECRET}`);
    await server.get(`/api/skills/${SECRET}?x=${SECRET}`, { traceparent: SECRET, tracestate: SECRET });
    await server.get("/api/skills", { Authorization: `Bearer ${SECRET}` });
    await server.end();
    expect(receiver.spans.length).toBeGreaterThan(20);
    expect(receiver.metrics.size).toBeGreaterThan(3);
    const failed = receiver.spans.filter(({ name, failed }) => name === "run" && failed);
    expect(failed.map(({ attributes }) => attributes["error.type"])).toEqual([
      "SKILL_FAILED",
      "_OTHER",
      "_OTHER",
    ]);
    const headers = JSON.stringify(receiver.requests.map((request) => request.headers));
    for (const word of [SECRET, CONTENT, folder.path, folder.at("repo"), "secret.txt"])
      for (const sent of [receiver.text, headers]) expect(sent.includes(word), word).toBe(false);
  });
});
