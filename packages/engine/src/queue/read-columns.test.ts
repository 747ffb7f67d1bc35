import { describe, expect, it } from "vitest";
import { waitingReason, workerOf } from "./list-queue.ts";
import { queuedOf, UNREADABLE } from "./queued-run.ts";

const sha256 = "a".repeat(64);
const input = { role: "in", path: "../../.bashrc", sha256, size: 3 };
const request = { params: { text: "x" }, inputs: [input], key: "k", digest: "d", isOwnRun: false };

const rowWith = (request_json: string, tags_json = "[]") => queuedOf({ request_json, tags_json, lane: "l" });

describe("columns that another machine wrote", () => {
  it("reads a request as it was queued", () => {
    expect(rowWith(JSON.stringify(request)).request).toEqual(request);
  });

  it("reads any other request as one that nobody runs, and does not throw", () => {
    const wrong = [
      "",
      "{",
      "null",
      "5",
      "[]",
      JSON.stringify({ ...request, params: 5 }),
      JSON.stringify({ ...request, params: [] }),
      JSON.stringify({ ...request, inputs: 7 }),
      JSON.stringify({ ...request, inputs: [null] }),
      JSON.stringify({ ...request, inputs: [{ ...input, path: 1 }] }),
      JSON.stringify({ ...request, inputs: [{ ...input, sha256: "../../../etc/passwd" }] }),
      JSON.stringify({ ...request, inputs: [{ ...input, size: "3" }] }),
      JSON.stringify({ ...request, digest: undefined }),
      JSON.stringify({ ...request, isOwnRun: 1 }),
    ];
    expect(wrong.map((text) => rowWith(text).request)).toEqual(wrong.map(() => UNREADABLE));
  });

  it("leaves out tags and offers of another form", () => {
    expect(rowWith("{}", "nope").tags).toEqual([]);
    expect(rowWith("{}", '["gpu", 5, null]').tags).toEqual(["gpu"]);
    const offer = { skill: "says", digest: "d", not: null };
    const texts = ["", "null", "{}", JSON.stringify([null, 5, { skill: 5 }, offer])];
    const workers = texts.map((skills_json) => workerOf({ worker_id: "w", tags_json: "{", skills_json }));
    expect(workers.map(({ offers }) => offers)).toEqual([[], [], [], [offer]]);
    expect(waitingReason(rowWith("null"), workers)).toContain("No worker has the skill");
  });
});
