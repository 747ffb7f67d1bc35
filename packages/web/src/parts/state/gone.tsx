import type { ComponentChildren } from "preact";
import { connection } from "../../api/events.ts";
import { Icon } from "../look/icon.tsx";
import { Time } from "../look/words.tsx";
import "./states.css";

/** Says that the server is gone, and since when. */
export function GoneNote() {
  const current = connection.value;
  if (current.state !== "gone") return null;
  return (
    <p class="stale" role="status">
      <Icon name="clock" />
      <span>
        The server does not answer. You see the data of <Time at={current.since} />. Start it again with{" "}
        <code>knack serve</code>; this page returns by itself.
      </span>
    </p>
  );
}

/** Live data: greyed, with the time, while the server is gone. */
export function LiveView({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <GoneNote />
      <div class={connection.value.state === "gone" ? "is-stale" : ""}>{children}</div>
    </>
  );
}
