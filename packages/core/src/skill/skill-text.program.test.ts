import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ownTexts } from "./skill-text.ts";

describe("text without the file around it", () => {
  it("is the same text", () => {
    for (const text of [
      "",
      "short",
      "a longer text than that",
      "审查代码，找出缺陷并且说明 ✅",
      "\ud800 half a pair",
    ])
      expect(ownTexts(text)).toBe(text);
    const metadata = Object.assign(Object.create(null), { author: "somebody with a long name" });
    const facts = ownTexts({
      license: "a licence of some length",
      allowedTools: ["Bash(git add:*)"],
      metadata,
    });
    expect(facts).toEqual({
      license: "a licence of some length",
      allowedTools: ["Bash(git add:*)"],
      metadata: { author: "somebody with a long name" },
    });
    expect(Object.getPrototypeOf(facts.metadata)).toBeNull();
  });

  it("does not keep what it was cut from", () => {
    // 1,000 texts of 100 KB, of each a sentence is kept: 100 MB where a slice keeps its whole.
    const program = `
      import { ownTexts } from ${JSON.stringify(new URL("./skill-text.ts", import.meta.url).href)};
      const kept = [];
      for (let i = 0; i < 1000; i++) kept.push(ownTexts(Buffer.alloc(100_000, 97 + (i % 26)).toString("latin1").slice(10, 100)));
      gc(); gc();
      console.log(process.memoryUsage().heapUsed + process.memoryUsage().external, kept.length);`;
    const output = execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "--eval", program], {
      encoding: "utf8",
    });
    expect(Number(output.split(" ")[0])).toBeLessThan(60_000_000);
  });
});
