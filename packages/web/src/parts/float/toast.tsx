import { signal } from "@preact/signals";
import { Button } from "../look/button.tsx";
import { Icon } from "../look/icon.tsx";
import "./toast.css";

interface Toast {
  readonly id: number;
  readonly words: string;
  readonly isFailure: boolean;
  readonly undo?: () => void;
}

const SHOWN_MS = 8_000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Says what was done, for some seconds, with a way back where there is one. */
export function toast(
  words: string,
  { undo, isFailure = false }: { undo?: () => void; isFailure?: boolean } = {},
): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-2), { id, words, isFailure, ...(undo ? { undo } : {}) }];
  setTimeout(() => drop(id), isFailure ? 2 * SHOWN_MS : SHOWN_MS);
}

/** Undoes what the newest toast tells; for the keyboard. */
export function undoLast(): void {
  const newest = toasts.value.findLast(({ undo }) => undo);
  if (!newest) return;
  drop(newest.id);
  newest.undo?.();
}

function drop(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, words, isFailure, undo }) => (
        <div key={id} class={`toast ${isFailure ? "toast-failed" : ""}`}>
          <Icon name={isFailure ? "alert" : "check"} />
          <span>{words}</span>
          {undo && (
            <Button
              small
              icon="undo"
              onClick={() => {
                drop(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
          <Button small look="quiet" icon="cross" aria-label="Dismiss" onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  );
}
