import { afterEach, describe, expect, it } from "vitest";
import {
  type Attributes,
  count,
  endTelemetry,
  installMetering,
  installTracing,
  isObserved,
  measure,
  span,
  traceEnvironment,
} from "./telemetry.ts";

afterEach(async () => {
  installTracing(undefined);
  installMetering(undefined);
});

describe("the hook for telemetry", () => {
  it("does the work and nothing else while nobody listens", async () => {
    expect(isObserved()).toBe(false);
    const done = await span("a", {}, async (one) => {
      one.set({ x: 1 });
      one.rename("b");
      one.fail("CODE");
      count("knack.searches");
      measure("knack.search.duration", performance.now());
      return 7;
    });
    expect(done).toBe(7);
    expect(traceEnvironment()).toEqual({});
    expect(await endTelemetry()).toBe(true);
    await expect(span("a", {}, () => Promise.reject(new Error("as it was")))).rejects.toThrow("as it was");
  });

  it("hands everything to who is installed, until the end", async () => {
    const told: unknown[] = [];
    installTracing({
      span: (name, attributes, work) => {
        told.push([name, attributes]);
        return work({ set() {}, rename() {}, fail() {} });
      },
      headers: () => ({ traceparent: "00-1-2-01", tracestate: "" }),
      end: async () => false,
    });
    installMetering({
      count: (name: string, attributes: Attributes) => void told.push([name, attributes]),
      measure: (name: string, seconds: number) => void told.push([name, seconds >= 0]),
      end: async () => true,
    });
    await span("a", { id: "x" }, async () => undefined);
    count("knack.loads", { name: "y" });
    measure("knack.run.duration", performance.now());
    expect(told).toEqual([
      ["a", { id: "x" }],
      ["knack.loads", { name: "y" }],
      ["knack.run.duration", true],
    ]);
    expect(traceEnvironment()).toEqual({ TRACEPARENT: "00-1-2-01" });
    // Something is still under way.
    expect(await endTelemetry()).toBe(false);
    expect(isObserved()).toBe(false);
  });
});
