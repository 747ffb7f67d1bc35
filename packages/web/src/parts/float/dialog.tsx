import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../look/button.tsx";
import "./dialog.css";

/** A modal dialog: the browser keeps the focus inside, Escape and a click beside it close it. */
export function Dialog({
  title,
  onClose,
  children,
  bare,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Without its title line, which only screen readers get. */
  readonly bare?: boolean;
}) {
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
        <div class="dialog-head">
          <h2>{title}</h2>
          <Button look="quiet" icon="cross" aria-label="Close" onClick={() => dialog.current?.close()} />
        </div>
      )}
      {children}
    </dialog>
  );
}
