import { once } from "node:events";
import type { Question } from "@knack/core";
import { describe, expect, it } from "vitest";
import { questionText } from "./page-questions.ts";
import { PausedCall, PausedCalls } from "./paused-call.ts";

const question = (tool: string): Question => ({ tool, reason: "It is asked." });
const waits = new AbortController().signal;

describe("a call that asks", () => {
  it("goes on from its question with the answer, and does nothing twice", async () => {
    const done: string[] = [];
    const call = new PausedCall(async (confirm) => {
      for (const tool of ["a", "b"]) done.push(`${tool} ${await confirm(question(tool))}`);
      return "end";
    });
    expect(await call.next(waits)).toEqual({ question: question("a") });
    call.answer("yes");
    expect(await call.next(waits)).toEqual({ question: question("b") });
    // Whoever comes without an answer is asked the same.
    expect(await call.next(waits)).toEqual({ question: question("b") });
    call.answer("no");
    expect(await call.next(waits)).toEqual({ result: "end" });
    expect(done).toEqual(["a yes", "b no"]);
  });

  it("asks one question at a time", async () => {
    const call = new PausedCall((confirm) => Promise.all([confirm(question("a")), confirm(question("b"))]));
    for (const [tool, answer] of [
      ["a", "yes"],
      ["b", "no"],
    ] as const) {
      expect(await call.next(waits)).toEqual({ question: question(tool) });
      call.answer(answer);
    }
    expect(await call.next(waits)).toEqual({ result: ["yes", "no"] });
  });

  it("ends with the request that waits for it, and not with an earlier one", async () => {
    const earlier = new AbortController();
    const later = new AbortController();
    const call = new PausedCall(async (confirm, signal) => {
      await confirm(question("a"));
      if (!signal.aborted) await once(signal, "abort");
      return "ended";
    });
    await call.next(earlier.signal);
    earlier.abort();
    call.answer("yes");
    const next = call.next(later.signal);
    later.abort();
    expect(await next).toEqual({ result: "ended" });
  });

  it("tells what it failed by", async () => {
    const call = new PausedCall(() => Promise.reject(new Error("broken")));
    await expect(call.next(waits)).rejects.toThrow("broken");
  });
});

describe("calls that wait", () => {
  it("are taken up once, and answered as dismissed where nobody comes", async () => {
    const calls = new PausedCalls<PausedCall<unknown>>();
    const asking = (): PausedCall<unknown> => new PausedCall((confirm) => confirm(question("a")));
    const [first, second] = [asking(), asking()];
    await Promise.all([first.next(waits), second.next(waits)]);
    calls.keep("1", first);
    calls.keep("2", second);
    expect(calls.take("1")).toBe(first);
    expect(calls.take("1")).toBeUndefined();
    calls.giveUp();
    expect(await second.next(waits)).toEqual({ result: "dismissed" });
    expect(calls.take("2")).toBeUndefined();
  });
});

const ask = (params: unknown): string =>
  questionText({ tool: "rename_files", executes: true, reason: "It runs code." } as never, params);

describe("the text of a question", () => {
  it("hides neither the beginning nor the end of long parameters, and says how much it leaves out", () => {
    const text = ask({ note: "x".repeat(2_000), cmd: "rm -rf ~" });
    expect(text).toContain('with {"note":"xxx');
    expect(text).toContain('"cmd":"rm -rf ~"}');
    expect(text).toMatch(/… 1,?\d{3} more characters …/);
    expect(text.length).toBeLessThan(700);
  });

  it("has short parameters as they are", () => {
    expect(ask({ a: 1 })).toBe('A model wants to call rename_files with {"a":1}. It runs code. Allow it?');
  });
});
