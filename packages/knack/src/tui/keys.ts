import type { Key } from "ink";

/** What a key asks for. */
export type Command =
  | { readonly kind: "type"; readonly text: string }
  | { readonly kind: "move"; readonly by: "line" | "page" | "end"; readonly direction: -1 | 1 }
  | { readonly kind: "scope"; readonly direction: -1 | 1 }
  | {
      readonly kind:
        | "erase"
        | "erase-word"
        | "clear"
        | "choose"
        | "switch"
        | "show-all"
        | "preview"
        | "back"
        | "leave"
        | "interrupt";
    };

/** By control character, also if several keys arrive at once. */
const CONTROLS: Readonly<Record<string, Command>> = {
  "\u0003": { kind: "interrupt" },
  "\u0001": { kind: "show-all" },
  "\b": { kind: "erase" },
  "\t": { kind: "scope", direction: 1 },
  "\n": { kind: "choose" },
  "\r": { kind: "choose" },
  "\u000e": { kind: "move", by: "line", direction: 1 },
  "\u000f": { kind: "preview" },
  "\u0010": { kind: "move", by: "line", direction: -1 },
  "\u0014": { kind: "switch" },
  "\u0015": { kind: "clear" },
  "\u0017": { kind: "erase-word" },
  "\u007f": { kind: "erase" },
};

/** Translates ink's input events to commands; unknown keys give none. */
export function commandsOf(input: string, key: Key): Command[] {
  if (key.eventType === "release") return [];
  const named = namedKey(key);
  if (named) return [named];
  if (key.ctrl && input.length === 1) {
    const control = CONTROLS[String.fromCharCode(input.toLowerCase().charCodeAt(0) & 0x1f)];
    return control ? [control] : [];
  }
  if (key.ctrl || key.meta || key.super || key.hyper) return [];
  // A line break followed by text was pasted into a terminal without bracketed paste.
  return /[\r\n]./s.test(input) ? pasted(input) : typed(input);
}

/** Pasted text becomes part of the query, whatever it contains. */
export function pasted(text: string): Command[] {
  const clean = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return clean === "" ? [] : [{ kind: "type", text: clean }];
}

function namedKey(key: Key): Command | undefined {
  if (key.upArrow) return { kind: "move", by: "line", direction: -1 };
  if (key.downArrow) return { kind: "move", by: "line", direction: 1 };
  if (key.pageUp) return { kind: "move", by: "page", direction: -1 };
  if (key.pageDown) return { kind: "move", by: "page", direction: 1 };
  if (key.home) return { kind: "move", by: "end", direction: -1 };
  if (key.end) return { kind: "move", by: "end", direction: 1 };
  if (key.rightArrow) return { kind: "preview" };
  if (key.leftArrow) return { kind: "back" };
  if (key.tab) return { kind: "scope", direction: key.shift ? -1 : 1 };
  if (key.return) return { kind: "choose" };
  if (key.escape) return { kind: "leave" };
  if (key.backspace || key.delete) return { kind: "erase" };
  return undefined;
}

/** Several keys at once: text stays text, control characters become commands. */
function typed(input: string): Command[] {
  return input
    .split(/(\p{Cc})/u)
    .filter((part) => part !== "")
    .flatMap((part) => {
      if (!/\p{Cc}/u.test(part)) return [{ kind: "type", text: part } as const];
      const control = CONTROLS[part];
      return control ? [control] : [];
    });
}
