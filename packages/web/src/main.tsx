import { render } from "preact";
import { access, takeToken } from "./api/client.ts";
import { startEvents } from "./api/events.ts";
import { followSession } from "./api/session.ts";
import { App } from "./app/app.tsx";
import { startClock } from "./parts/look.tsx";
import { startTheme, watchReturns } from "./parts/page.tsx";
import { watchKeys } from "./parts/shortcuts.ts";
import "./styles/index.css";

takeToken();
startTheme();
startClock();
watchReturns();
watchKeys();
// A link with a token that is pasted into an open tab only changes the fragment.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#token=")) {
    takeToken();
    location.reload();
  }
});
if (access.value !== "missing") {
  startEvents();
  followSession();
}
const root = document.getElementById("page");
if (root) {
  root.replaceChildren();
  render(<App />, root);
}
