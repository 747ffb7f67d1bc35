import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type KeyCommand, readKeys } from "./keys.ts";

/** The commands of what a terminal sends, chunk by chunk; text that was typed as one. */
async function commandsOf(...chunks: readonly (string | Buffer)[]): Promise<KeyCommand[]> {
  const input = new PassThrough();
  const commands: KeyCommand[] = [];
  const stop = readKeys(input, (command) => {
    const last = commands.at(-1);
    if (command.kind === "type" && last?.kind === "type")
      commands.splice(-1, 1, { kind: "type", text: last.text + command.text });
    else commands.push(command);
  });
  for (const chunk of chunks) {
    input.write(chunk);
    await delay(1);
  }
  stop();
  return commands;
}

const type = (text: string) => ({ kind: "type", text });

describe("keys", () => {
  it("text is typed, whatever language it is in, and several keys at once are several commands", async () => {
    expect(await commandsOf("a")).toEqual([type("a")]);
    expect(await commandsOf("审查𠮷")).toEqual([type("审查𠮷")]);
    expect(await commandsOf("draft\r")).toEqual([type("draft"), { kind: "choose" }]);
    expect(await commandsOf("x\u0015y\t")).toEqual([
      type("x"),
      { kind: "clear" },
      type("y"),
      { kind: "scope", direction: 1 },
    ]);
  });

  it("a character and a key that come in pieces are whole", async () => {
    const [first = 0, ...rest] = Buffer.from("审");
    expect(await commandsOf(Buffer.from([first]), Buffer.from(rest))).toEqual([type("审")]);
    expect(await commandsOf("\u001b", "[A")).toEqual([{ kind: "move", by: "line", direction: -1 }]);
  });

  it("a pasted line end never chooses, with marks around what is pasted or without", async () => {
    const paste = (text: string) => commandsOf(`\u001b[200~${text}\u001b[201~`);
    expect(await paste("release\r\nnotes\n")).toEqual([type("release notes ")]);
    expect(await commandsOf("release\rnotes")).toEqual([type("release notes")]);
    expect(await commandsOf("\u001b[200~rel", "ease\r", "\u001b[201~\r")).toEqual([
      type("release "),
      { kind: "choose" },
    ]);
    expect(await paste("\u0007审")).toEqual([type(" 审")]);
  });

  it("control keys work by their letter; what means nothing does nothing", async () => {
    expect(await commandsOf("\u0014")).toEqual([{ kind: "switch" }]);
    expect(await commandsOf("\u0003")).toEqual([{ kind: "interrupt" }]);
    expect(await commandsOf("\u0019")).toEqual([]);
    expect(await commandsOf("\u001bx")).toEqual([]);
    expect(await commandsOf("\u001b[Z")).toEqual([{ kind: "scope", direction: -1 }]);
    expect(await commandsOf("\u001bOP", "\u001b[5~")).toEqual([{ kind: "move", by: "page", direction: -1 }]);
  });
});
