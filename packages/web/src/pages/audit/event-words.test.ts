import { describe, expect, it } from "vitest";
import { eventMeaning, eventWords, type LoggedEvent, typeWord } from "./event-words.ts";

const event = (event_type: string, payload: unknown, more: Partial<LoggedEvent> = {}): LoggedEvent =>
  ({
    seq: 1,
    event_type,
    plan_id: null,
    task_id: null,
    run_id: null,
    actor: "cli",
    payload,
    created_at: "",
    hash: "",
    ...more,
  }) as LoggedEvent;

describe("a record of the log in one line", () => {
  it("says what ran and how it ended", () => {
    expect(eventWords(event("SKILL_RUN", { skill: "x", status: "FAILED" }))).toBe("x · failed");
    expect(eventWords(event("SKILL_RUN", { skill: "x", status: "SUCCEEDED", cached: true }))).toBe(
      "x · from cache",
    );
  });

  it("says from which state to which a task went", () => {
    const of = { plan_id: "p", task_id: "t" };
    const moved = { from: "PENDING", to: "BLOCKED", reason: "WAITING_INPUT" };
    expect(eventWords(event("STATUS_CHANGED", moved, of))).toBe("p/t · pending → blocked · waiting input");
    expect(eventWords(event("STATUS_CHANGED", { applied: "abc" }, { plan_id: "p" }))).toBe("p was applied");
  });

  it("says what was decided, and why it was refused", () => {
    expect(eventWords(event("PERMISSION_DECIDED", { tool: "x", allowed: true }))).toBe("x · allowed");
    const refused = event("PERMISSION_DECIDED", { tool: "x", allowed: false, reason: "Denied." });
    expect([eventWords(refused), eventMeaning(refused)]).toEqual(["x · refused · Denied.", "failed"]);
  });

  it("takes any payload, and types that it does not know", () => {
    for (const payload of [null, 1, "x", [], {}])
      expect(eventWords(event("NEW_TYPE", payload))).toEqual(expect.any(String));
    expect(typeWord("NEW_TYPE")).toBe("NEW_TYPE");
    expect(eventMeaning(event("ERROR", null))).toBe("failed");
  });
});
