import type { Key } from "ink";
import { describe, expect, it } from "vitest";
import { commandsOf, pasted } from "./keys.ts";

const key = (pressed: Partial<Key> = {}): Key => pressed as Key;
const type = (text: string) => ({ kind: "type", text });

describe("keys", () => {
  it("text is typed, whatever language it is in, and several keys at once are several commands", () => {
    expect(commandsOf("a", key())).toEqual([type("a")]);
    expect(commandsOf("审查", key())).toEqual([type("审查")]);
    expect(commandsOf("draft\r", key())).toEqual([type("draft"), { kind: "choose" }]);
    expect(commandsOf("x\u0015y\t", key())).toEqual([
      type("x"),
      { kind: "clear" },
      type("y"),
      { kind: "scope", direction: 1 },
    ]);
  });

  it("a pasted line end never chooses, with marks around what is pasted or without", () => {
    expect(pasted("release\r\nnotes\n")).toEqual([type("release notes ")]);
    expect(commandsOf("release\rnotes", key())).toEqual([type("release notes")]);
    expect(pasted("\u001b[2J\u0007")).toEqual([type(" [2J ")]);
  });

  it("control keys work by their letter; what means nothing does nothing", () => {
    expect(commandsOf("t", key({ ctrl: true }))).toEqual([{ kind: "switch" }]);
    expect(commandsOf("c", key({ ctrl: true }))).toEqual([{ kind: "interrupt" }]);
    expect(commandsOf("y", key({ ctrl: true }))).toEqual([]);
    expect(commandsOf("x", key({ meta: true }))).toEqual([]);
    expect(commandsOf("", key({ tab: true, shift: true }))).toEqual([{ kind: "scope", direction: -1 }]);
  });
});
