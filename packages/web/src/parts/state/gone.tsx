import type { ComponentChildren } from "preact";
import { connection } from "../../api/events.ts";
import { Icon } from "../look/icon.tsx";
import { Time } from "../look/words.tsx";
import "./states.css";

/** Live data: greyed, with the time, while the server is gone. */
export function LiveView({ children }: { readonly children: ComponentChildren }) {
  const current = connection.value;
  const isGone = current.state === "gone";
  return (
    <>
      {isGone && (
        <p class="stale" role="status">
          <Icon name="clock" />
          <span>
            The server does not answer. You see the data of <Time at={current.since} />. Start it again with{" "}
            <code>knack serve</code>; this page returns by itself.
          </span>
        </p>
      )}
      <div class={isGone ? "is-stale" : ""}>{children}</div>
    </>
  );
}
