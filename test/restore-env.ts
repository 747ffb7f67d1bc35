import { afterAll } from "vitest";

/** Test files share a process: undo what one sets in the environment. */
const before = { ...process.env };
afterAll(() => {
  process.env = before;
});
