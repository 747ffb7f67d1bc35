import type { ComponentChildren } from "preact";
import "./facts.css";

/** Names with their values, side by side where there is room. A value that is null or undefined is left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="fact-list">
      {Object.entries(of).map(
        ([name, value]) =>
          value !== null &&
          value !== undefined &&
          value !== false && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
