import { afterAll } from "vitest";

/** Test files share a process: what one sets in the environment ends with it. */
const before = { ...process.env };
afterAll(() => {
  process.env = before;
});
