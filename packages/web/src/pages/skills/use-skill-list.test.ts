import { describe, expect, it } from "vitest";
import type { SkillRow } from "../../parts/skill.tsx";
import { itemsOf } from "./use-skill-list.ts";

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
