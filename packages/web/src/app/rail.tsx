import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Icon } from "../parts/look/icon.tsx";
import { DESTINATIONS, isUnder } from "./destinations.ts";

const KEY = "knack-rail";

/** The pages: at the left, or at the bottom of a narrow screen. */
export function Rail() {
  const { path } = useLocation();
  const [isNarrow, setNarrow] = useState(localStorage.getItem(KEY) === "narrow");
  const toggle = (): void => {
    localStorage.setItem(KEY, isNarrow ? "wide" : "narrow");
    setNarrow(!isNarrow);
  };
  return (
    <nav class={`rail ${isNarrow ? "rail-narrow" : ""}`} aria-label="Pages">
      <a class="rail-brand" href="/" aria-label="Knack: Home">
        <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
          <rect width="32" height="32" rx="8" fill="var(--accent-fill)" />
          <path
            d="M11 8v16M21 8l-9 8 9 8"
            fill="none"
            stroke="white"
            stroke-width="3.2"
            stroke-linecap="round"
            stroke-linejoin="round"
          />
        </svg>
        <span class="rail-word">Knack</span>
      </a>
      <ul>
        {DESTINATIONS.map(({ path: page, words, icon }) => (
          <li key={page}>
            <a href={page} title={words} aria-current={isUnder(path, page) ? "page" : undefined}>
              <Icon name={icon} size={18} />
              <span class="rail-word">{words}</span>
            </a>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="rail-fold"
        onClick={toggle}
        aria-expanded={!isNarrow}
        title={isNarrow ? "Widen" : "Collapse"}
      >
        <Icon name={isNarrow ? "expand" : "collapse"} size={18} />
        <span class="rail-word">Collapse</span>
      </button>
    </nav>
  );
}
