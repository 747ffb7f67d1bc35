import { afterEach, describe, expect, it, vi } from "vitest";
import { get, post } from "./client.ts";
import { SharedAnswer } from "./data.ts";

afterEach(() => vi.unstubAllGlobals());

/** A server that answers when it is told to. */
function slowServer() {
  const asked: { readonly signal: AbortSignal; readonly answer: (data: unknown) => void }[] = [];
  vi.stubGlobal(
    "fetch",
    (_url: string, { signal }: { signal: AbortSignal }) =>
      new Promise<Response>((answer) =>
        asked.push({ signal, answer: (data) => answer(Response.json(data)) }),
      ),
  );
  return asked;
}

describe("data that several views show", () => {
  it("arrive on a slow server, however often they become old meanwhile", async () => {
    const asked = slowServer();
    const source = new SharedAnswer("/api/runs");
    const redraw = vi.fn();
    source.join(redraw);
    for (let event = 0; event < 5; event++) source.load();
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false]);
    asked[0]?.answer("old");
    await expect.poll(() => source.loaded?.data).toBe("old");
    // What made them old came after the request: they are asked for once more.
    asked[1]?.answer("new");
    await expect.poll(() => source.loaded?.data).toBe("new");
    expect([asked.length, redraw.mock.calls.length, source.isBusy]).toEqual([2, 2, false]);
  });

  it("are shown in a view that was drawn before their answer and joined after it", async () => {
    const [asked, source, late] = [slowServer(), new SharedAnswer("/api/runs"), vi.fn()];
    source.join(() => undefined);
    asked[0]?.answer("data");
    await expect.poll(() => source.loaded?.data).toBe("data");
    source.join(late);
    expect(late).toHaveBeenCalledOnce();
  });

  it("are no longer waited for when the last view has left, and asked for again by the next", async () => {
    const [asked, source] = [slowServer(), new SharedAnswer("/api/runs")];
    const leave = source.join(() => undefined);
    const leaveToo = source.join(() => undefined);
    leave();
    expect(asked[0]?.signal.aborted).toBe(false);
    leaveToo();
    expect([asked[0]?.signal.aborted, source.isBusy]).toEqual([true, false]);
    source.join(() => undefined);
    asked[1]?.answer("data");
    await expect.poll(() => source.loaded?.data).toBe("data");
  });
});

describe("what a skill says", () => {
  it("never reaches the page, a title or the clipboard with a raw control character", async () => {
    const text = "a\u001b[2Jb\u0000\u0007\u007f\u009bc\nd\te";
    vi.stubGlobal("fetch", async (_url: string, { method = "GET" }: RequestInit) =>
      method === "GET"
        ? Response.json({ skills: [{ description: text }] })
        : Response.json({ error: { code: "NOT_FOUND", message: text } }, { status: 404 }),
    );
    const shown = "a\\x1b[2Jb\\x00\\x07\\x7f\\x9bc\nd\te";
    expect(await get("/api/skills")).toEqual({ skills: [{ description: shown }] });
    await expect(post("/api/policy", { action: "deny", skill: "x" })).rejects.toThrow(shown);
  });
});
