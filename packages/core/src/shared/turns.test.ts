import { expect, it } from "vitest";
import { inTurns } from "./turns.ts";

it("lets others run while there is much to do, and does everything in its order", async () => {
  let others = 0;
  let isOver = false;
  const count = (): void => {
    others++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const done: number[] = [];
  const items = Array.from({ length: 1_000 }, (_, i) => i);
  await inTurns(items, (item) => {
    for (const end = performance.now() + 0.1; performance.now() < end; );
    done.push(item);
  });
  isOver = true;
  expect(done).toEqual(items);
  expect(others).toBeGreaterThan(2);
});
