import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../../core/src/context/blocks/catalog-block.ts";
import { tokensOf } from "./tokens.ts";

describe("tokens", () => {
  it.each(["", "a", "four letters each", "审查代码改动", "mixed 文 text\n", "x".repeat(10_001)])(
    "are counted as the server counts them: %s",
    (text) => {
      expect(tokensOf(text)).toBe(estimateTokens(text));
    },
  );
});
