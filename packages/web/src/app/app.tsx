import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation } from "preact-iso";
import { access, enterToken } from "../api/client.ts";
import { useResource } from "../api/data.ts";
import { connection, onEvent, retryConnection } from "../api/events.ts";
import { Toasts, undoLast } from "../parts/float.tsx";
import { Button, Command, Icon, plural, Time } from "../parts/look.tsx";
import { noteAddress, PageHead, pageTitle, useTitle } from "../parts/page.tsx";
import { useShortcuts } from "../parts/shortcuts.ts";
import { Failed } from "../parts/states.tsx";
import { Rail, TopBar } from "./bars.tsx";
import { DESTINATIONS, float, openFloat } from "./frame.ts";
import { Palette, ShortcutSheet } from "./palette.tsx";
import "./app.css";

/** Shown instead of every page while the server does not know this tab. */
function NoToken() {
  const isRefused = access.value === "refused";
  useTitle(isRefused ? "Wrong token" : "Open the link");
  return (
    <main class="gate state column" id="main">
      <Icon name="lock" size={28} />
      <h1>{isRefused ? "The server does not accept this token" : "This page needs its link"}</h1>
      <p>
        {isRefused
          ? "The link is from another server, or the token has changed since. Open the page again:"
          : "The link carries a token, so that only you can see your skills. Open the page with it:"}
      </p>
      <p>
        <Command text="knack open" />
      </p>
      <p class="quiet">
        opens it in your browser. <code>knack serve</code> also prints the link when it starts.
      </p>
      <EnterToken />
    </main>
  );
}

/** For those who use the server of a team. A password field, so that nobody reads it over a shoulder. */
function EnterToken() {
  const [text, setText] = useState("");
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") enterToken(text.trim());
      }}
    >
      <label for="gate-token">Or enter the access token that you got from the owner of this server:</label>
      <span class="row">
        <input
          id="gate-token"
          type="password"
          value={text}
          spellcheck={false}
          autoComplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button words="Enter" type="submit" disabled={text.trim() === ""} />
      </span>
    </form>
  );
}

/** What has to be said on every page: that the server is gone, and, but on Home, that an agent waits for an answer. */
function Bars() {
  const { path } = useLocation();
  const server = connection.value;
  const { data } = useResource("/api/questions", undefined, { reloadOn: ["questions"] });
  const [first] = data?.questions ?? [];
  const waiting = data?.count ?? 0;
  const title = pageTitle.value;
  // A tab in the background shows by its title that somebody waits.
  useLayoutEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${pageTitle.peek()} · Knack`;
  }, [waiting, title]);
  return (
    <div role="status" class="bars">
      {server.state === "gone" && (
        <p class="bar row small means-waits">
          <Icon name="clock" />
          <span>
            The server does not answer. You see the data of <Time at={server.since} />. Start it again with{" "}
            <code>knack serve</code>; this page returns by itself.
          </span>
        </p>
      )}
      {first && data && path !== "/" && (
        <a class="bar row small means-waits" href="/">
          <Icon name="info" />
          <span class="clip">
            {data.count === 1
              ? `${first.client} asks you something.`
              : `Agents ask ${plural(data.count, "question")}.`}
          </span>
          <b>Answer</b>
        </a>
      )}
    </div>
  );
}

/** Instead of a page whose script could not be loaded, because the server is gone. It loads when the server is back. */
function NotLoaded() {
  useEffect(() => onEvent("returned", () => location.reload()), []);
  // A reload without the server would end the whole page.
  const again = (): void => (connection.value.state === "live" ? location.reload() : retryConnection());
  return (
    <div class="page">
      <PageHead title="Not loaded" />
      <Failed
        error={new Error('This page could not be loaded. Start the server again with "knack serve".')}
        onRetry={again}
      />
    </div>
  );
}

const page = (load: () => Promise<{ Page: ComponentType }>) =>
  lazy(() =>
    load().then(
      ({ Page }) => Page,
      () => NotLoaded,
    ),
  );

// One component for two addresses: choosing a row changes the address and keeps the list.
const runs = page(() => import("../pages/runs/index.tsx"));
const plans = page(() => import("../pages/plans/index.tsx"));
const queue = page(() => import("../pages/queue/index.tsx"));

// The addresses are also in the server, which sends the page for each of them; a test compares the two lists.
const PAGES = [
  ["/", page(() => import("../pages/home/index.tsx"))],
  ["/skills", page(() => import("../pages/skills/index.tsx"))],
  ["/skills/:id", page(() => import("../pages/skill/index.tsx"))],
  ["/graph", page(() => import("../pages/graph/index.tsx"))],
  ["/try", page(() => import("../pages/try/index.tsx"))],
  ["/runs", runs],
  ["/runs/:id", runs],
  ["/plans", plans],
  ["/plans/:id", plans],
  ["/queue", queue],
  ["/queue/:id", queue],
  ["/audit", page(() => import("../pages/audit/index.tsx"))],
  ["/connect", page(() => import("../pages/connect/index.tsx"))],
] as const;

function NotFound() {
  return (
    <div class="page">
      <PageHead title="Nothing here" />
      <p>
        This address shows nothing. <a href="/">Go to Home</a>
      </p>
    </div>
  );
}

function Routes() {
  const { url } = useLocation();
  const [failure, setFailure] = useState<{ url: string; error: Error }>();
  noteAddress();
  useEffect(() => noteAddress(), [url]);
  if (failure?.url === url)
    return (
      <div class="page">
        <Failed error={failure.error} onRetry={() => location.reload()} />
      </div>
    );
  return (
    <ErrorBoundary onError={(error: Error) => setFailure({ url, error })}>
      <Router onRouteChange={focusPage}>
        {PAGES.map(([path, component]) => (
          <Route key={path.split("/:")[0]} path={path} component={component} />
        ))}
        <Route default component={NotFound} />
      </Router>
    </ErrorBoundary>
  );
}

/** After a navigation the focus is on the new page's title, so that screen readers and the Tab key start there. */
function focusPage(): void {
  requestAnimationFrame(() => {
    const own = document.activeElement;
    const main = document.getElementById("main");
    // A page may have put the focus where its work begins.
    if (own && own !== document.body && main?.contains(own)) return;
    if (document.querySelector("dialog[open]")) return;
    const title = main?.querySelector<HTMLElement>("h1");
    (title ?? main)?.focus({ preventScroll: true });
  });
}

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
      run: () => openFloat(float.value === "keys" ? undefined : "keys"),
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
      <button
        type="button"
        class="skip button button-main"
        onClick={() => document.getElementById("main")?.focus()}
      >
        Skip to the page
      </button>
      <Rail />
      <TopBar />
      <main id="main" class="main" tabIndex={-1}>
        <Bars />
        {/* Without a connection nobody says when the data become old. */}
        <div class={connection.value.state === "gone" ? "is-stale" : "is-current"}>
          <Routes />
        </div>
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
