import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button, Icon } from "./look.tsx";
import "./float.css";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Without its title line, which only screen readers get. */
  readonly bare?: boolean;
}

/** A modal dialog: the browser keeps the focus inside, Escape and a click beside it close it. */
export function Dialog({ title, onClose, children, bare }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${bare ? "dialog-bare" : ""}`}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      {!bare && (
        <div class="dialog-head row">
          <h2 class="fill">{title}</h2>
          <Button look="quiet" icon="cross" aria-label="Close" onClick={() => dialog.current?.close()} />
        </div>
      )}
      {children}
    </dialog>
  );
}

interface Toast {
  readonly id: number;
  readonly words: string;
  readonly isFailure: boolean;
  readonly undo?: (() => void) | undefined;
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
  toasts.value = [...toasts.value.slice(-2), { id, words, isFailure, undo }];
  setTimeout(() => drop(id), isFailure ? 2 * SHOWN_MS : SHOWN_MS);
}

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
    <div class="toasts stack" role="status" aria-live="polite">
      {toasts.value.map(({ id, words, isFailure, undo }) => (
        <div key={id} class={`toast box row ${isFailure ? "toast-failed" : ""}`}>
          <Icon name={isFailure ? "alert" : "check"} />
          <span>{words}</span>
          {undo && (
            <Button
              words="Undo"
              small
              icon="undo"
              onClick={() => {
                drop(id);
                undo();
              }}
            />
          )}
          <Button small look="quiet" icon="cross" aria-label="Dismiss" onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  );
}
