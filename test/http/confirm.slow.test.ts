import { describe, expect, it } from "vitest";
import { addTokens, bearer, logOf, type Role } from "../access/team.ts";
import { makeTypedProject, PUBLISH } from "../cli/typed-skills.ts";
import { Server } from "./server.ts";

const folder = makeTypedProject(PUBLISH);
const tokens = addTokens(folder);
const server = await Server.forFile(folder, { args: ["--listen", "127.0.0.1:0"] });

async function run(role: Role, body: object) {
  const inputs = [{ role: "report", path: "a.md" }];
  const response = await server.post("/api/run", { skill: "publish", inputs, ...body }, bearer(tokens[role]));
  return { status: response.status, body: (await response.json()) as object };
}

describe("003 §3.1 a confirmation over HTTP", () => {
  it("is the approver's, by the name of the token", async () => {
    expect(await run("approver", { confirm: ["sign_off"] })).toMatchObject({
      status: 200,
      body: { status: "SUCCEEDED", inputs: [{}, { role: "sign_off", confirmed_by: "approver" }] },
    });
    expect(logOf(folder)).toContainEqual(
      expect.objectContaining({
        actor: "token:approver",
        payload: expect.objectContaining({ confirmed: [expect.objectContaining({ by: "approver" })] }),
      }),
    );
  });

  it.each([
    ["runner", { confirm: ["sign_off"] }, 403, "This needs the role approver"],
    ["approver", {}, 403, "only a person can give"],
    ["approver", { confirm: ["other"] }, 403, "only a person can give"],
    ["approver", { confirm: true }, 400, "confirm"],
    ["approver", { inputs: [{ role: "sign_off", path: "b.md" }] }, 400, "a file is none"],
  ] as const)("is refused to %s with %j", async (role, body, status, says) => {
    expect(await run(role, body)).toMatchObject({
      status,
      body: { error: { message: expect.stringContaining(says) } },
    });
  });

  it("is nobody's on a server that an agent of Knack started, which has its token", async () => {
    using own = makeTypedProject(PUBLISH);
    const env = { KNACK_TRUST: "all", KNACK_RUNNER_MARK: "some-runner" };
    const agents = await Server.start(own, { env });
    try {
      expect((await agents.post("/api/plans", { file: "plan.yaml" })).status).toBe(200);
      for (const [path, body] of [
        ["/api/plans/p/tasks/out/evidence", { requirement: "sign_off", confirm: true }],
        ["/api/questions/none", { answer: "allow" }],
        ["/api/run", { skill: "publish", inputs: [{ path: "a.md" }], confirm: ["sign_off"] }],
      ] as const) {
        const refused = await agents.post(path, body);
        expect([path, refused.status]).toEqual([path, 403]);
        expect(await refused.text()).toContain("only a person can confirm");
      }
      expect((await agents.post("/api/questions/none", { answer: "deny" })).status).toBe(404);
    } finally {
      await agents.end();
    }
  });

  it("is left out of what a form asks for, and of what is checked before", async () => {
    const headers = bearer(tokens.runner);
    const entry = await (await fetch(`${server.url}/api/registry/publish`, { headers })).json();
    expect(entry).toMatchObject({
      request: {
        properties: { inputs: { items: { properties: { role: { enum: ["report"] } } }, minItems: 1 } },
      },
    });
    const checked = await server.post(
      "/api/registry/publish/check",
      { inputs: [{ role: "report", path: "b.md" }] },
      headers,
    );
    expect(await checked.json()).toMatchObject({ faults: [], explanation: { hit: false } });
  });
});
