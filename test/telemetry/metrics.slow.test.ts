import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { COUNTERS, DURATIONS, OBSERVED } from "../../packages/knack/src/telemetry/metering.ts";
import { REPO } from "../cli/run.ts";
import { changeState, makeTypedProject } from "../cli/typed-skills.ts";
import { Server } from "../http/server.ts";
import { checkWithPromtool, readPrometheus, type Sample } from "./prometheus-format.ts";
import { Receiver, runProgram } from "./receiver.ts";

const valueIn = (samples: readonly Sample[] | undefined, labels: object): number | undefined =>
  samples?.find((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))?.value;

describe("/metrics", () => {
  it("needs the token like everything else", async () => {
    using folder = makeTypedProject();
    await using server = await Server.start(folder);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
    expect((await fetch(`${server.url}/metrics?token=${server.token}`)).status).toBe(401);
    expect((await server.get("/metrics", { Authorization: "Bearer wrong" })).status).toBe(401);
    const answer = await server.get("/metrics");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
  });

  it("counts runs, cache hits, searches, loads and requests, and reads the queue from the database", async () => {
    using folder = makeTypedProject({ [`${REPO}/reviews/SKILL.md`]: skillText("reviews", "Reviews code.") });
    await using server = await Server.start(folder);
    const before = readPrometheus(await (await server.get("/metrics")).text());
    expect(before.get("knack_workers")?.samples).toEqual([{ name: "knack_workers", labels: {}, value: 0 }]);
    const run = (text: string) => server.post("/api/run", { skill: "says", params: { text } });
    for (const text of ["a", "a", "b"]) expect((await run(text)).status).toBe(200);
    await server.get("/api/search?q=review");
    const now = new Date().toISOString();
    const queued = (id: string, state: string) =>
      `INSERT INTO queued_runs (queue_id, job_id, lane, state, skill_name, priority, flow, turn, tags_json, request_json,
         queued_by, queued_at) VALUES ('${id}', 'j', 'l', '${state}', 'says', 0, 'f', 0, '[]', '{}', 'test', '${now}');`;
    const worker = (id: string, seen: string) =>
      `INSERT INTO workers VALUES ('${id}', 'h', 1, 1, '[]', '[]', '', '${now}', '${seen}', '${seen}');`;
    changeState(
      folder,
      [
        ...["WAITING", "WAITING", "RUNNING", "DEAD", "SUCCEEDED"].map((state, at) => queued(`q${at}`, state)),
        ...[worker("alive", "9999-01-01T00:00:00.000Z"), worker("gone", "2020-01-01T00:00:00.000Z")],
      ].join("\n"),
    );
    const text = await (await server.get("/metrics")).text();
    const metrics = readPrometheus(text);
    const value = (name: string, labels: object, suffix = "") =>
      valueIn(
        metrics.get(name)?.samples.filter((one) => one.name === `${name}${suffix}`),
        labels,
      );
    const says = { knack_skill_name: "says", knack_run_status: "SUCCEEDED" };
    expect(value("knack_runs_total", { ...says, knack_run_cached: "false" })).toBe(2);
    expect(value("knack_runs_total", { ...says, knack_run_cached: "true" })).toBe(1);
    expect(value("knack_run_duration_seconds", { ...says, knack_run_cached: "false" }, "_count")).toBe(2);
    expect(value("knack_cache_hits_total", { knack_skill_name: "says" })).toBe(1);
    expect(value("knack_searches_total", {})).toBe(1);
    const posted = { http_request_method: "POST", http_route: "/api/run", http_response_status_code: "200" };
    expect(value("http_server_request_duration_seconds", posted, "_count")).toBe(3);
    const states = ["waiting", "running", "failed", "dead"];
    expect(states.map((state) => value("knack_queue_runs", { knack_queue_state: state }))).toEqual([
      2, 1, 0, 1,
    ]);
    expect(value("knack_workers", {})).toBe(1);
    expect(value("knack_audit_records_total", {})).toBeGreaterThanOrEqual(3);
    checkWithPromtool(text);
  });
});

describe("metrics by OTLP", () => {
  it("are sent at the end of a command, with the same names", async () => {
    using folder = makeTypedProject();
    await using receiver = await Receiver.start();
    const env = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${receiver.url}/v1/metrics` };
    const { code } = await runProgram(folder, ["run", "says", "--param", "text=x"], env);
    expect(code).toBe(0);
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/v1/metrics"]);
    const labels = { "knack.skill.name": "says", "knack.run.status": "SUCCEEDED", "knack.run.cached": false };
    expect(receiver.metrics.get("knack.runs")).toEqual([{ labels, value: 1 }]);
    expect(receiver.metrics.get("knack.run.duration")).toEqual([{ labels, value: 1 }]);
  });

  it("of a server have what /metrics has", async () => {
    using folder = makeTypedProject();
    await using receiver = await Receiver.start();
    const env = { KNACK_TRUST: "all", ...receiver.env, OTEL_TRACES_EXPORTER: "none" };
    const server = await Server.start(folder, { env });
    await server.post("/api/run", { skill: "says", params: { text: "x" } });
    expect(readPrometheus(await (await server.get("/metrics")).text()).get("knack_runs_total")).toBeDefined();
    expect(await server.end()).toBe(0);
    expect(receiver.metrics.get("knack.runs")?.[0]?.value).toBe(1);
    expect(receiver.text).not.toContain(server.token);
  });
});

describe("docs/telemetry.md", () => {
  it("has every metric, and no other", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/telemetry.md"), "utf8");
    const told = [...page.matchAll(/^\| `(\w+)` \| `([\w.]+)` \|/gm)].map(
      ([, text, name]) => `${name} ${text}`,
    );
    const asText = (name: string, end: string): string => `${name} ${name.replaceAll(".", "_")}${end}`;
    const known = [
      ...Object.keys(COUNTERS).map((name) => asText(name, "_total")),
      ...Object.keys(DURATIONS).map((name) => asText(name, "_seconds")),
      ...[OBSERVED.queue, OBSERVED.workers].map(({ name }) => asText(name, "")),
      asText(OBSERVED.records.name, "_total"),
    ];
    expect(told.sort()).toEqual(known.sort());
  });
});
