import { describe, expect, it } from "vitest";
import type { Requirement } from "./state.ts";
import { fittingRequirement, takesFile } from "./state.ts";

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
