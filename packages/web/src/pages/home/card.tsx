import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** A part of Home with its title and, at the right, what belongs to all of it. */
export function Card({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
