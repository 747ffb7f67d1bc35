import { describe, expect, it } from "vitest";
import { readEvents } from "./events.ts";

describe("server-sent events", () => {
  it("are read whole; what is incomplete waits for the rest", () => {
    const { events, rest } = readEvents(
      'retry: 2000\n\nevent: catalog\nid: 1-a\ndata: {"a":1}\n\nevent: log\nda',
    );
    expect(events).toEqual([{ type: "catalog", id: "1-a", data: '{"a":1}' }]);
    expect(rest).toBe("event: log\nda");
  });

  it("of several data lines are one text, and a comment is no event", () => {
    expect(readEvents("data: a\ndata: b\n\n: still here\n\n").events).toEqual([
      { type: "message", id: "", data: "a\nb" },
    ]);
  });
});
