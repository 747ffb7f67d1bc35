import { describe, expect, it } from "vitest";
import { type LiveWorker, offeredBy, waitingReason } from "./list-queue.ts";
import { bossPriority, laneOf, type Offer, type QueuedRun, queuedOf, UNREADABLE } from "./queued-run.ts";

const digest = "d".repeat(64);
const run = (tags: readonly string[] = []): QueuedRun =>
  ({
    skill: "says",
    tags,
    lane: laneOf({ skill: "says", digest, tags }),
    request: { digest },
  }) as unknown as QueuedRun;
const worker = (offers: readonly Offer[], tags: readonly string[] = []): LiveWorker => ({ tags, offers });
const offer = (not: Offer["not"], of = digest): Offer => ({ skill: "says", digest: of, not });

describe("why a queued run waits", () => {
  it("says what is missing, the nearest to a worker that could run it", () => {
    const reasons = [
      waitingReason(run(), []),
      waitingReason(run(), [worker([])]),
      waitingReason(run(), [worker([offer(null, "other")])]),
      waitingReason(run(), [worker([offer("trust")]), worker([offer(null, "other")])]),
      waitingReason(run(), [worker([offer("policy")])]),
      waitingReason(run(), [worker([offer("skills")])]),
      waitingReason(run(["big", "gpu"]), [worker([offer(null)], ["big"]), worker([offer(null)])]),
      waitingReason(run(["big", "gpu"]), [worker([offer(null)])]),
      waitingReason(run(["gpu"]), [worker([offer(null)], ["gpu", "other"])]),
      waitingReason(run(), [worker([offer("trust")]), worker([offer(null)])]),
    ];
    expect(reasons).toEqual([
      'No worker is running. Start one: "knack worker".',
      "No worker has the skill says.",
      'No worker has this version of says (dddddddddddd). Update the project on a worker, then run "knack trust" there.',
      'No worker has approved this version of says. Run "knack trust" on a worker.',
      "The policy of every worker denies says.",
      "No worker takes says: all were started with --skills and without it.",
      "No worker with the tag gpu.",
      "No worker with the tags big, gpu.",
      null,
      null,
    ]);
  });
});

describe("the order in which pg-boss takes jobs", () => {
  it("is by priority, then by turn, and fits a 32-bit number", () => {
    const order = [
      { priority: 100, turn: 0 },
      { priority: 100, turn: 99_999_999 },
      { priority: 1, turn: 5 },
      { priority: 0, turn: 0 },
      { priority: 0, turn: 1 },
      { priority: -100, turn: 0 },
      { priority: -100, turn: 99_999_999 },
    ].map(bossPriority);
    expect(order).toEqual([...order].sort((a, b) => b - a));
    expect(new Set(order).size).toBe(order.length);
    for (const one of order) expect(Math.abs(one)).toBeLessThan(2 ** 31);
  });
});

const sha256 = "a".repeat(64);
const input = { role: "in", path: "../../.bashrc", sha256, size: 3 };
const request = {
  params: { text: "x" },
  inputs: [input],
  confirmed: [],
  key: "k",
  digest: "d",
  isOwnRun: false,
};

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
    const offered = { skill: "says", digest: "d", not: null };
    const texts = ["", "null", "{}", JSON.stringify([null, 5, { skill: 5 }, offered])];
    const workers = texts.map((skills_json) => offeredBy({ tags_json: "{", skills_json }));
    expect(workers.map(({ offers }) => offers)).toEqual([[], [], [], [offered]]);
    expect(waitingReason(rowWith("null"), workers)).toContain("No worker has the skill");
  });
});
