import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** The title of the page that is shown; the frame announces it after a navigation. */
export const pageTitle = signal("Knack");

/** Names the document after a page. */
export function useTitle(title: string): void {
  useLayoutEffect(() => {
    pageTitle.value = title;
    document.title = `${title} · Knack`;
  }, [title]);
}

/** Names the document after what is open in a page, and after the page again when it is closed. */
export function useDetailTitle(title: string, page: string): void {
  useTitle(`${title} · ${page}`);
  useLayoutEffect(
    () => () => {
      pageTitle.value = page;
      document.title = `${page} · Knack`;
    },
    [page],
  );
}

/** The title line of a page, with its buttons. */
export function PageHead({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  useTitle(title);
  return (
    <div class="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  );
}
