import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { connection, retryConnection } from "../api/events.ts";
import { article, me, status } from "../api/session.ts";
import { Badge, Button, Icon, Key, plural, useAfter } from "../parts/look.tsx";
import { theme } from "../parts/page.tsx";
import { DESTINATIONS, isUnder, openFloat } from "./frame.ts";

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
      <ul class="column">
        {DESTINATIONS.map(({ path: page, words, icon }) => (
          <li key={page}>
            <a
              class="place row pick"
              href={page}
              title={words}
              aria-current={isUnder(path, page) ? "page" : undefined}
            >
              <Icon name={icon} size={18} />
              <span class="rail-word">{words}</span>
            </a>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="place row pick"
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

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
/** A restart of the server takes less. */
const RESTART_MS = 3_000;

function ConnectionDot() {
  const current = connection.value;
  if (current.state === "gone") return <Gone since={current.since} />;
  return (
    <span class={`dot row small nowrap dot-${current.state}`} role="status">
      {current.state === "connecting" ? "Connecting" : "Live"}
    </span>
  );
}

function Gone({ since }: { since: Date }) {
  const isLong = useAfter(RESTART_MS);
  return (
    <button
      type="button"
      class="dot dot-gone row small nowrap pick"
      title="The server does not answer. Start it again with “knack serve”; the page returns by itself. Click to try now."
      onClick={retryConnection}
    >
      <span role="status">{isLong ? `Gone since ${CLOCK.format(since)}` : "Reconnecting"}</span>
    </button>
  );
}

const THEMES = {
  system: { icon: "system", words: "as the system", next: "light" },
  light: { icon: "sun", words: "light", next: "dark" },
  dark: { icon: "moon", words: "dark", next: "system" },
} as const;

export function nextTheme(): void {
  theme.value = THEMES[theme.value].next;
}

export function TopBar() {
  const { icon, words, next } = THEMES[theme.value];
  return (
    <header class="top">
      <Project />
      <button
        type="button"
        class="top-search search-field"
        aria-label="Search skills and pages"
        aria-keyshortcuts="/ Control+K"
        onClick={() => openFloat("palette")}
      >
        <Icon name="search" />
        <span class="fill">Search</span>
        <Key>/</Key>
      </button>
      <div class="top-end row fill">
        <Who />
        <ConnectionDot />
        <Button
          look="quiet"
          icon={icon}
          aria-label={`Colours: ${words}. Switch to ${THEMES[next].words}`}
          onClick={nextTheme}
        />
        <Button
          look="quiet"
          icon="keyboard"
          class="top-keys"
          aria-label="Keyboard shortcuts"
          onClick={() => openFloat("keys")}
        />
      </div>
    </header>
  );
}

/** Whose token this tab has; nobody needs to be told that they use their own machine. */
function Who() {
  const { name = null, role = "reader" } = me.value ?? {};
  if (name === null) return null;
  return (
    <span class="top-who small clip" title={`You use the access token of ${name}, ${article(role)} ${role}.`}>
      <b>{name}</b> <span class="quiet">{role}</span>
    </span>
  );
}

function Project() {
  const current = status.value;
  if (!current) return <div class="fill" />;
  const { project, trusted, waiting_for_trust: waiting } = current;
  const parts = project.split(/[/\\]/).filter(Boolean);
  return (
    <div class="row fill">
      <b class="clip">{parts.at(-1) ?? project}</b>
      <span class="top-path quiet small clip" title={project}>
        {project}
      </span>
      {trusted ? (
        <Badge means="done" icon="trust" words="Trusted" />
      ) : (
        <Badge
          means="waits"
          icon="trust"
          title={`${waiting > 0 ? `${plural(waiting, "skill")} of this project stay hidden. ` : ""}To trust it, run "knack trust" in the project.`}
          words="Not trusted"
        />
      )}
    </div>
  );
}
