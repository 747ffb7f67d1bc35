import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ErrorBoundary, lazy, Route, Router, useLocation } from "preact-iso";
import { noteAddress } from "../parts/page/kept-scroll.ts";
import { PageHead } from "../parts/page/title.tsx";
import { Failed } from "../parts/state/states.tsx";
import { NotLoaded } from "./not-loaded.tsx";

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

/** The page of the current address, loaded when it is first needed. */
export function Routes() {
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
