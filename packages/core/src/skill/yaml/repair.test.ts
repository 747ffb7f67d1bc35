import { describe, expect, it } from "vitest";
import { repairAt } from "./repair.ts";

const quoteValueAt = (text: string, line: number): string | null => repairAt(text, line)?.text ?? null;

describe("the one repair", () => {
  it("quotes the value of the faulty line and changes no other", () => {
    expect(quoteValueAt("name: x\ndescription: Use when: it's asked\nlicense: MIT", 2)).toBe(
      "name: x\ndescription: 'Use when: it''s asked'\nlicense: MIT",
    );
  });

  it("takes the continuation lines of the value along", () => {
    expect(quoteValueAt("description: Use when: the user\n  asks for it\nname: x", 1)).toBe(
      "description: 'Use when: the user\n  asks for it'\nname: x",
    );
  });

  it("leaves a line alone that has no unquoted colon in its value", () => {
    expect(quoteValueAt("name: x\n  bad", 1)).toBeNull();
    expect(quoteValueAt('name: "a: b" "c"', 1)).toBeNull();
    expect(quoteValueAt("just text", 1)).toBeNull();
  });
});
