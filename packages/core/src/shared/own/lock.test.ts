import { describe, expect, it } from "vitest";
import { makeFolder } from "../../testing/files.ts";
import { lifeOf, ownHolder } from "./holder.ts";
import { withLockBlocking } from "./lock.ts";

describe("quality: a lock waits for a living holder, for nothing else, and never for ever", () => {
  it("a process number that is another's by now, and a start of the machine before, are dead", () => {
    const self = ownHolder();
    expect(lifeOf(self)).toBe("alive");
    expect(lifeOf({ ...self, boot: "before" })).toBe("dead");
    expect(lifeOf({ ...self, host: "elsewhere" })).toBe("unknown");
    if (self.started !== "") expect(lifeOf({ ...self, started: "1" })).toBe("dead");
    expect(lifeOf({ ...self, pid: 2 ** 22 + 1 })).toBe("dead");
  });

  it("gives the lock back where the change fails", () => {
    using folder = makeFolder();
    const fail = () =>
      withLockBlocking(folder.at("f"), () => {
        throw new Error("no");
      });
    expect(fail).toThrow("no");
    expect(withLockBlocking(folder.at("f"), () => 1)).toBe(1);
  });
});
