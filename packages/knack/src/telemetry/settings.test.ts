import { describe, expect, it } from "vitest";
import { isExported, isTelemetryOn, propagates, timeoutOf, unsupported } from "./settings.ts";

const ENDPOINT = "http://127.0.0.1:4318";

describe("telemetry is off unless the environment asks for it", () => {
  it.each([
    [{}, false],
    [{ OTEL_SERVICE_NAME: "x", OTEL_RESOURCE_ATTRIBUTES: "a=b", TRACEPARENT: "00-1-2-01" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT }, true],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: ENDPOINT }, true],
    [{ OTEL_TRACES_EXPORTER: "otlp" }, true],
    [{ OTEL_METRICS_EXPORTER: "otlp" }, true],
    [{ OTEL_TRACES_EXPORTER: "none" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: "TRUE" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: "false" }, true],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT,
        OTEL_TRACES_EXPORTER: "none",
        OTEL_METRICS_EXPORTER: "none",
      },
      false,
    ],
  ])("%j: %s", (env, isOn) => {
    expect(isTelemetryOn(env)).toBe(isOn);
  });

  it("decides for traces and metrics apart", () => {
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT, OTEL_METRICS_EXPORTER: "none, otlp" };
    expect(isExported("TRACES", env)).toBe(true);
    expect(isExported("METRICS", env)).toBe(true);
    expect(isExported("METRICS", { OTEL_TRACES_EXPORTER: "otlp" })).toBe(false);
  });

  it("says what it cannot do", () => {
    expect(unsupported({ OTEL_TRACES_EXPORTER: "zipkin" })).toMatch(/^OTEL_TRACES_EXPORTER .*use otlp/);
    const grpc = { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
    expect(unsupported({ ...grpc, OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT })).toMatch(/http\/json/);
    expect(unsupported(grpc)).toBeUndefined();
    const all = { OTEL_TRACES_EXPORTER: "otlp", OTEL_METRICS_EXPORTER: "none" };
    expect(unsupported(all)).toBeUndefined();
  });

  it("waits no longer for a request than for the end", () => {
    const name = "OTEL_EXPORTER_OTLP_TIMEOUT";
    expect(["", "5", "60000", "-1", "x"].map((text) => timeoutOf("TRACES", { [name]: text }))).toEqual([
      2000, 5, 2000, 2000, 2000,
    ]);
    expect(timeoutOf("METRICS", { [name]: "7", OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: "9" })).toBe(9);
  });

  it("joins traces unless OTEL_PROPAGATORS leaves tracecontext out", () => {
    const of = (text: string) => propagates({ OTEL_PROPAGATORS: text });
    expect(["", "tracecontext,baggage", "baggage, tracecontext", "none", "b3"].map(of)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
