import { expect, it } from "vitest";
import { missingWords } from "./index.tsx";

const one = { name: "ok", kind: "CONFIRMATION", have: 0, min_count: 1 } as const;
const files = { name: "sources", kind: "FILE", have: 1, min_count: 2 } as const;

it("says what a blocked task waits for", () => {
  expect(missingWords("WAITING_APPROVAL", [one])).toBe("your confirmation ok");
  expect(missingWords("WAITING_INPUT", [files, one])).toBe("the file sources (1 of 2) and 1 more");
  expect(missingWords("WAITING_EXTERNAL", [])).toBe("you: it failed three times");
});
