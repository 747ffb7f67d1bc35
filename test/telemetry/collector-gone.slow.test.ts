import { describe, expect, it } from "vitest";
import { makeTypedProject } from "../cli/typed-skills.ts";
import { Receiver, runProgram } from "./receiver.ts";

const NOTE = /^note: OpenTelemetry: .*Check OTEL_EXPORTER_OTLP_ENDPOINT, or unset it\.\n$/;

const RUN = ["run", "says", "--param", "text=x", "--json"];

describe("a collector that fails", () => {
  it.each([
    ["is gone", 0, /cannot be reached \(ECONNREFUSED\)/],
    ["answers 500", 500, /answered 500/],
    ["answers 503", 503, /did not accept the data in time/],
    ["never answers", null, /did not accept the data in time/],
  ])(
    "and %s changes neither output nor exit code, and the command ends by itself",
    async (_name, status, reason) => {
      using folder = makeTypedProject();
      await using receiver = await Receiver.start(status === 0 ? 200 : status);
      const env = status === 0 ? { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" } : receiver.env;
      await runProgram(folder, RUN);
      for (const args of [RUN, ["show", "no-such-skill"], ["list", "--json"]]) {
        const plain = await runProgram(folder, args);
        const traced = await runProgram(folder, args, env);
        expect([traced.code, traced.stdout]).toEqual([plain.code, plain.stdout]);
        const more = traced.stderr.replace(plain.stderr, "");
        expect(more).toMatch(NOTE);
        expect(more).toMatch(reason);
      }
    },
  );

  it("does not keep a server from answering and ending", async () => {
    using folder = makeTypedProject();
    await using receiver = await Receiver.start(null);
    const call = { jsonrpc: "2.0", id: 1, method: "skills.list", params: {} };
    const ended = await runProgram(folder, ["rpc"], receiver.env, `${JSON.stringify(call)}\n`);
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ id: 1, result: { skills: expect.anything() } });
    expect(ended.stderr).toMatch(/did not accept the data in time/);
  });
});
