import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

interface Shortcut {
  /** A key as the browser names it ("?", "Enter"), "ctrl+k", or two keys after each other: "g s". */
  readonly keys: string;
  readonly words: string;
  /** Absent: the key is handled elsewhere and only listed. */
  readonly run?: () => void;
  readonly inFields?: boolean;
}

/** What works now, for the help sheet. */
export const shortcutGroups = signal<readonly { title: string; shortcuts: readonly Shortcut[] }[]>([]);

export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  // Not after the next paint: a key that follows at once must see what was typed before it.
  useLayoutEffect(() => {
    const group = { title, shortcuts };
    shortcutGroups.value = [...shortcutGroups.peek(), group];
    return () => {
      shortcutGroups.value = shortcutGroups.peek().filter((one) => one !== group);
    };
  });
}

/** How long the second key of two may take. */
const SECOND_MS = 1_200;
let before = { key: "", at: 0 };

export function watchKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = `${event.ctrlKey || event.metaKey ? "ctrl+" : ""}${event.altKey ? "alt+" : ""}${event.key}`;
    const pair = event.timeStamp - before.at < SECOND_MS ? `${before.key} ${key}` : "";
    before = { key, at: event.timeStamp };
    const { target } = event;
    const isField = target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS));
    // The newest first: a dialog's keys come before those of the page below.
    const all = [...shortcutGroups.value].reverse().flatMap(({ shortcuts }) => shortcuts);
    const usable = all.filter(({ run, inFields }) => run && (!isField || inFields));
    const found = usable.find(({ keys }) => keys === pair) ?? usable.find(({ keys }) => keys === key);
    // While a dialog is open, only what works in fields works.
    if (!found || (!found.inFields && document.querySelector("dialog[open]"))) return;
    event.preventDefault();
    before = { key: "", at: 0 };
    found.run?.();
  });
}

const FIELDS = "textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=range])";
