import { describe, expect, it } from "vitest";
import { showChange } from "./show-change.ts";

const text = (...lines: string[]): string => `${lines.join("\n")}\n`;

describe("the change that knack setup shows", () => {
  it("has the changed lines alone, with the number of the first", () => {
    expect(showChange(text("a", "b", "c"), text("a", "x", "y", "c"))).toEqual([
      "@@ line 2 @@",
      "-b",
      "+x",
      "+y",
    ]);
    expect(showChange("", text("a"))).toEqual(["@@ line 1 @@", "+a"]);
    expect(showChange(text("a", "b"), text("b"))).toEqual(["@@ line 1 @@", "-a"]);
  });

  it("has nothing of what stands between two changes", () => {
    const shown = showChange(
      text("{", '  "key": "secret"', "}"),
      text("{", '  "first": 1,', '  "key": "secret",', '  "last": 2', "}"),
    );
    expect(shown.join("\n")).not.toContain("secret");
    expect(shown).toEqual(["@@ line 2 @@", '+  "first": 1,', "@@ line 3 @@", '+  "last": 2']);
  });

  it("hides a token but not a reference to one, and shows control characters", () => {
    const reference = "Bearer {file:~/.knack/token}";
    expect(showChange(text("Bearer abc", reference), text("\u001b[2J"))).toEqual([
      "@@ line 1 @@",
      "-Bearer <token>",
      `-${reference}`,
      "+\\x1b[2J",
    ]);
  });

  it("has of one line only what differs", () => {
    const [before, after] = ['{"a":{"key":"secret"}}', '{"a":{"key":"secret"},"b":2}'];
    expect(showChange(before, after)).toEqual(["@@ line 1 @@", '+…,"b":2…']);
    const [, , now = ""] = showChange("x".repeat(1e6), `${"x".repeat(5e5)}${"y".repeat(1e5)}`);
    expect(now.length).toBeLessThan(170);
  });
});
