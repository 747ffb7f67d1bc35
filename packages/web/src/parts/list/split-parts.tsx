import type { ComponentChildren } from "preact";
import { Icon } from "../look/icon.tsx";
import { Loading } from "../state/states.tsx";
import "./split-parts.css";

/** The head of the list's side: the page's title and its buttons. */
export function SplitHead({ children }: { readonly children: ComponentChildren }) {
  return <div class="split-head">{children}</div>;
}

/** The way back to the list, where the detail is shown alone. */
export function SplitBack({ href, words }: { readonly href: string; readonly words: string }) {
  return (
    <a class="split-back" href={href}>
      <Icon name="back" /> {words}
    </a>
  );
}

/** A list that loads, in the shape of its rows. */
export function ListLoading() {
  return (
    <div class="split-loading">
      <Loading rows={12} height={40} />
    </div>
  );
}
