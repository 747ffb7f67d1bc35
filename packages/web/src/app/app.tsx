import { LocationProvider, useLocation } from "preact-iso";
import { access } from "../api/access.ts";
import { Toasts, undoLast } from "../parts/float/toast.tsx";
import { useShortcuts } from "../parts/page/shortcuts.ts";
import { pageTitle } from "../parts/page/title.tsx";
import { DESTINATIONS } from "./destinations.ts";
import { closeFloat, float, openFloat } from "./float.ts";
import { NoToken } from "./no-token.tsx";
import { Palette } from "./palette.tsx";
import { QuestionBar } from "./question-bar.tsx";
import { Rail } from "./rail.tsx";
import { Routes } from "./routes.tsx";
import { ShortcutSheet } from "./shortcut-sheet.tsx";
import { TopBar } from "./top-bar.tsx";
import "./app.css";

export function App() {
  if (access.value === "missing" || access.value === "refused") return <NoToken />;
  return (
    <LocationProvider>
      <Frame />
    </LocationProvider>
  );
}

function Frame() {
  const { route } = useLocation();
  useShortcuts("Everywhere", [
    { keys: "ctrl+k", words: "Search skills and pages", run: () => openFloat("palette"), inFields: true },
    { keys: "/", words: "Search", run: () => openFloat("palette") },
    {
      keys: "?",
      words: "Show this sheet",
      run: () => (float.value === "keys" ? closeFloat() : openFloat("keys")),
    },
    { keys: "ctrl+z", words: "Undo the last change", run: undoLast },
    ...DESTINATIONS.map(({ path, words, key }) => ({
      keys: `g ${key}`,
      words: `Go to ${words}`,
      run: () => route(path),
    })),
  ]);
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the page
      </button>
      <Rail />
      <TopBar />
      <main id="main" class="main" tabIndex={-1}>
        <QuestionBar />
        <Routes />
      </main>
      <p class="hidden-name" role="status">
        {pageTitle.value}
      </p>
      {float.value === "palette" && <Palette />}
      {float.value === "keys" && <ShortcutSheet />}
      <Toasts />
    </div>
  );
}
