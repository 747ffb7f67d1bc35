import { Dialog } from "../parts/float/dialog.tsx";
import { Key } from "../parts/look/words.tsx";
import { shortcutGroups } from "../parts/page/shortcuts.ts";
import { closeFloat } from "./float.ts";

const NAMES: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  " ": "Space",
  Escape: "Esc",
  ctrl: navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl",
};

/** Every key that works on this page. */
export function ShortcutSheet() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeFloat}>
      {shortcutGroups.value.map(({ title, shortcuts }) => (
        <section key={title} class="keys-group">
          <h3>{title}</h3>
          <dl>
            {shortcuts.map(({ keys, words }) => (
              <div key={keys}>
                <dt>{words}</dt>
                <dd>
                  {(keys === " " ? [" "] : keys.split(/[ +]/)).map((key) => (
                    <Key key={key}>{NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}</Key>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
