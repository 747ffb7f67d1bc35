import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../core/src/context/blocks/catalog-block.ts";
import type { SkillRow } from "../parts/skill.tsx";
import { eventMeaning, eventWords, type LoggedEvent, typeWord } from "./audit/event-words.ts";
import { waitsForWords } from "./home/index.tsx";
import { fittingRequirement, type Requirement, takesFile } from "./plans/task-item.tsx";
import { tokensOf } from "./skill/index.tsx";
import { itemsOf } from "./skills/use-skill-list.ts";
import { requestFrom } from "./try/index.tsx";

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

const one = { name: "ok", kind: "CONFIRMATION", have: 0, min_count: 1 } as const;
const files = { name: "sources", kind: "FILE", have: 1, min_count: 2 } as const;

it("says what a blocked task waits for", () => {
  expect(waitsForWords("WAITING_APPROVAL", [one])).toBe("your confirmation ok");
  expect(waitsForWords("WAITING_INPUT", [files, one])).toBe("the file sources (1 of 2) and 1 more");
  expect(waitsForWords("WAITING_EXTERNAL", [])).toBe("you: it failed three times");
});

const requirement = (name: string, allowed_types: string[], satisfied = false, kind = "FILE"): Requirement =>
  ({ name, kind, allowed_types, satisfied }) as unknown as Requirement;

describe("a file that is dropped on a task", () => {
  it("goes to the requirement that takes its type and still misses files", () => {
    const requirements = [
      requirement("ok", [], false, "CONFIRMATION"),
      requirement("figures", ["pdf"], true),
      requirement("sources", ["md", "pdf"]),
    ];
    expect(fittingRequirement({ requirements }, "Report.PDF")?.name).toBe("sources");
    expect(fittingRequirement({ requirements }, "a.exe")).toBeUndefined();
    expect(fittingRequirement({ requirements: requirements.slice(0, 2) }, "a.pdf")?.name).toBe("figures");
  });

  it("may be of any type where none is named", () => {
    expect(takesFile(requirement("any", []), "README")).toBe(true);
    expect(takesFile(requirement("md", ["md"]), "README")).toBe(false);
  });
});

describe("tokens", () => {
  it.each(["", "a", "four letters each", "审查代码改动", "mixed 文 text\n", "x".repeat(10_001)])(
    "are counted as the server counts them: %s",
    (text) => {
      expect(tokensOf(text)).toBe(estimateTokens(text));
    },
  );
});

const row = (id: string, group: SkillRow["group"]) => ({ id, group }) as SkillRow;

describe("the items of the list of skills", () => {
  it("have a heading where what fits ends, and where inactive skills begin", () => {
    const items = itemsOf(
      [row("a", "fits"), row("b", "nearly"), row("c", "nearly"), row("d", "inactive")],
      1,
    );
    expect(items.map(({ key }) => key)).toEqual(["a", "heading nearly", "b", "c", "heading inactive", "d"]);
  });

  it("say so where nothing fits", () => {
    expect(itemsOf([row("b", "nearly")], 0)[0]?.heading).toMatch(/^Nothing fits/);
  });

  it("keep a place for rows that are not loaded yet", () => {
    expect(itemsOf([row("a", "all"), undefined, undefined], 0).map(({ key }) => key)).toEqual([
      "a",
      "row 1",
      "row 2",
    ]);
  });
});

it("makes a request of the first sentence of a description", () => {
  expect(requestFrom("Use when drafting release notes. Also for changelogs.")).toBe("drafting release notes");
  expect(requestFrom("Review a change: risks, tests.")).toBe("Review a change");
  expect(requestFrom("起草发布说明。用于发布。")).toBe("起草发布说明");
  expect(requestFrom(`${"word ".repeat(40)}.`).length).toBeLessThanOrEqual(80);
});
