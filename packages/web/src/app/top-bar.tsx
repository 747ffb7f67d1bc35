import { article, me } from "../api/me.ts";
import { Badge } from "../parts/look/badge.tsx";
import { Button } from "../parts/look/button.tsx";
import { Icon } from "../parts/look/icon.tsx";
import { Key, plural } from "../parts/look/words.tsx";
import { type Theme, theme } from "../parts/page/theme.ts";
import { ConnectionDot } from "./connection-dot.tsx";
import { openFloat } from "./float.ts";
import { status } from "./status.ts";

const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const THEME_ICONS = { system: "system", light: "sun", dark: "moon" } as const;
const THEME_WORDS = { system: "as the system", light: "light", dark: "dark" } as const;

export function nextTheme(): void {
  theme.value = NEXT[theme.value];
}

/** The project, its trust, search, the connection. */
export function TopBar() {
  return (
    <header class="top">
      <Project />
      <button
        type="button"
        class="top-search"
        aria-label="Search skills and pages"
        aria-keyshortcuts="/ Control+K"
        onClick={() => openFloat("palette")}
      >
        <Icon name="search" />
        <span class="top-search-words">Search</span>
        <Key>/</Key>
      </button>
      <div class="top-end">
        <Who />
        <ConnectionDot />
        <Button
          look="quiet"
          icon={THEME_ICONS[theme.value]}
          aria-label={`Colours: ${THEME_WORDS[theme.value]}. Switch to ${THEME_WORDS[NEXT[theme.value]]}`}
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
  if (!current) return <div class="top-project" />;
  const { project, trusted, waiting_for_trust: waiting } = current;
  const parts = project.split(/[/\\]/).filter(Boolean);
  return (
    <div class="top-project">
      <b class="clip">{parts.at(-1) ?? project}</b>
      <span class="top-path quiet small clip" title={project}>
        {project}
      </span>
      {trusted ? (
        <Badge means="done" icon="trust">
          Trusted
        </Badge>
      ) : (
        <Badge
          means="waits"
          icon="trust"
          title={`${waiting > 0 ? `${plural(waiting, "skill")} of this project stay hidden. ` : ""}To trust it, run "knack trust" in the project.`}
        >
          Not trusted
        </Badge>
      )}
    </div>
  );
}
