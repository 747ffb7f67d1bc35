import { describe, expect, it } from "vitest";
import { previewKind } from "./artifact.tsx";

describe("the preview of an artifact", () => {
  it("goes by the declared format, then by the name", () => {
    expect(previewKind("md", "a")).toBe("markdown");
    expect(previewKind("", "a/report.PDF")).toBe("pdf");
    expect(previewKind("data", "a/plot.png")).toBe("image");
    expect(previewKind("zip", "a.zip")).toBe("none");
  });

  it("shows what a browser would execute as text", () => {
    for (const format of ["html", "svg", "js", "xml"])
      expect(previewKind(format, `a.${format}`)).toBe("text");
  });
});
