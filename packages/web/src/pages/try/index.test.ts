import { expect, it } from "vitest";
import { requestFrom } from "./index.tsx";

it("makes a request of the first sentence of a description", () => {
  expect(requestFrom("Use when drafting release notes. Also for changelogs.")).toBe("drafting release notes");
  expect(requestFrom("Review a change: risks, tests.")).toBe("Review a change");
  expect(requestFrom("起草发布说明。用于发布。")).toBe("起草发布说明");
  expect(requestFrom(`${"word ".repeat(40)}.`).length).toBeLessThanOrEqual(80);
});
