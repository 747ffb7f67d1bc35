import { emitKeypressEvents, type Interface, type Key } from "node:readline";
import type { Readable } from "node:stream";

/** By the name that Node gives the key; with Ctrl as `^`. */
const COMMANDS = {
  up: { kind: "move", by: "line", direction: -1 },
  down: { kind: "move", by: "line", direction: 1 },
  pageup: { kind: "move", by: "page", direction: -1 },
  pagedown: { kind: "move", by: "page", direction: 1 },
  home: { kind: "move", by: "end", direction: -1 },
  end: { kind: "move", by: "end", direction: 1 },
  right: { kind: "preview" },
  left: { kind: "back" },
  tab: { kind: "scope", direction: 1 },
  "shift-tab": { kind: "scope", direction: -1 },
  return: { kind: "choose" },
  enter: { kind: "choose" },
  escape: { kind: "leave" },
  backspace: { kind: "erase" },
  delete: { kind: "erase" },
  "^a": { kind: "show-all" },
  "^c": { kind: "interrupt" },
  "^n": { kind: "move", by: "line", direction: 1 },
  "^o": { kind: "preview" },
  "^p": { kind: "move", by: "line", direction: -1 },
  "^t": { kind: "switch" },
  "^u": { kind: "clear" },
  "^w": { kind: "erase-word" },
} as const;

/** What a key is for; the others are text. */
export type KeyCommand =
  | (typeof COMMANDS)[keyof typeof COMMANDS]
  | { readonly kind: "type"; readonly text: string };

/** A key that begins with the Escape character arrives whole within this time; later it was Escape itself. */
const ESCAPE_MS = 50;

/** Calls `press` with the command of each key, and with pasted text as text; returns a function that stops it. */
export function readKeys(input: Readable, press: (command: KeyCommand) => void): () => void {
  let pasting: string | undefined;
  const paste = (): void => {
    // Pasted text becomes part of the query, whatever it contains.
    const text = (pasting ?? "").replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
    pasting = undefined;
    if (text !== "") press({ kind: "type", text });
  };
  let isPlainPaste = false;
  const begin = (chunk: Buffer): void => {
    // A line break followed by text was pasted into a terminal that does not mark what is pasted.
    isPlainPaste = pasting === undefined && /^[^\u001b]*[\r\n][^\u001b]+$/.test(chunk.toString("latin1"));
    if (isPlainPaste) pasting = "";
  };
  const end = (): void => {
    if (isPlainPaste) paste();
  };
  const keypress = (text: string | undefined, key: Key): void => {
    if (key.name === "paste-start") pasting = "";
    else if (key.name === "paste-end") paste();
    else if (pasting !== undefined) pasting += key.sequence ?? text ?? "";
    else {
      const command = commandOf(text, key);
      if (command) press(command);
    }
  };
  input.on("data", begin);
  input.on("keypress", keypress);
  emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
  input.on("data", end);
  return () => {
    input.off("data", begin).off("keypress", keypress).off("data", end);
  };
}

/** Unknown keys give none. */
function commandOf(text: string | undefined, { name = "", ctrl, meta, shift }: Key): KeyCommand | undefined {
  const id = ctrl && name.length === 1 ? `^${name}` : name === "tab" && shift ? "shift-tab" : name;
  if (id.length > 1 && Object.hasOwn(COMMANDS, id)) return COMMANDS[id as keyof typeof COMMANDS];
  if (ctrl || meta || text === undefined || /\p{Cc}/u.test(text)) return undefined;
  return { kind: "type", text };
}
