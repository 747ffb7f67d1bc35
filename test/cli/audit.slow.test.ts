import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { sharedServer } from "../../packages/engine/src/store/testing/postgres/shared-server.ts";
import { HOME } from "./run.ts";
import { ask, makeTypedProject, start } from "./typed-skills.ts";

const projectOn = (url: string) =>
  makeTypedProject({
    [`${HOME}/mine/SKILL.md`]: skillText("mine", "Does what is mine."),
    "home/.knack/config.yaml": `store: { url: "${url}" }\n`,
  });

describe("what a command records in PostgreSQL", () => {
  it("is in the log when it has ended, and the log holds", async () => {
    using folder = projectOn((await sharedServer("18")).url());
    expect((await start(folder, ["search", "mine"]).closed).code).toBe(0);
    expect((await start(folder, ["load", "mine"]).closed).code).toBe(0);
    const { events } = ask<{ events: { event_type: string }[] }>(folder, ["audit"]).data;
    expect(events.map(({ event_type }) => event_type)).toEqual([
      "SKILL_SEARCHED",
      "PERMISSION_DECIDED",
      "SKILL_LOADED",
    ]);
    expect(ask<{ ok: boolean }>(folder, ["audit", "verify"]).data.ok).toBe(true);
  });

  it("is given up where the server takes connections and never answers, after the answer, and not tried again at once", async () => {
    let tries = 0;
    const silent = createServer(() => void tries++).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    using folder = projectOn(`postgres://knack@127.0.0.1:${port}/none`);
    const { child, closed } = start(folder, ["search", "mine"]);
    let told = "";
    child.stderr.on("data", (text: Buffer) => {
      told += text;
    });
    const [first] = await once(child.stdout, "data");
    expect(String(first)).toContain("mine");
    expect((await closed).code).toBe(0);
    expect(told.match(/This use was not recorded: /g)).toHaveLength(1);
    expect(tries).toBe(1);
    expect((await start(folder, ["load", "mine"]).closed).code).toBe(0);
    expect(tries).toBe(1);
    silent.close();
  });
});
