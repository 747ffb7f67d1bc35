import { render } from "preact";
import { access, takeToken } from "./api/access.ts";
import { startEvents } from "./api/events.ts";
import { followMe } from "./api/me.ts";
import { App } from "./app/app.tsx";
import { followStatus } from "./app/status.ts";
import { startClock } from "./parts/look/clock.ts";
import { watchReturns } from "./parts/page/kept-scroll.ts";
import { watchKeys } from "./parts/page/shortcuts.ts";
import { startTheme } from "./parts/page/theme.ts";
import "./styles/base.css";

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
  followStatus();
  followMe();
}
const root = document.getElementById("page");
if (root) {
  root.replaceChildren();
  render(<App />, root);
}
