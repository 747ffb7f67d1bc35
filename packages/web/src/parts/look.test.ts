import { describe, expect, it } from "vitest";
import { relativeTime } from "./look.tsx";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const ago = (ms: number, locale = "en"): string => relativeTime(new Date(NOW - ms), NOW, locale);

describe("a relative time", () => {
  it("uses the largest unit that fits", () => {
    expect(ago(20_000)).toBe("now");
    expect(ago(3 * 60_000)).toBe("3 minutes ago");
    expect(ago(25 * 3_600_000)).toBe("yesterday");
    expect(ago(-2 * 3_600_000)).toBe("in 2 hours");
    expect(ago(400 * 86_400_000)).toBe("last year");
  });

  it("is in the language of the user", () => {
    expect(ago(3 * 60_000, "ja")).toBe("3 分前");
  });
});
