import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const KEY = "knack-theme";

function stored(): Theme {
  const text = localStorage.getItem(KEY);
  return text === "light" || text === "dark" ? text : "system";
}

/** The user's choice; "system" follows the browser. */
export const theme = signal<Theme>("system");

export function startTheme(): void {
  theme.value = stored();
  effect(() => {
    const { dataset } = document.documentElement;
    if (theme.value === "system") delete dataset.theme;
    else dataset.theme = theme.value;
    localStorage.setItem(KEY, theme.value);
  });
}
