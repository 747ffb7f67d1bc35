import type { ComponentChildren } from "preact";
import { connection } from "../../api/events.ts";
import { Stale } from "./states.tsx";

const MESSAGE = new Error(
  'The server does not answer. Start it again with "knack serve"; this page returns by itself.',
);

/** Says that the server is gone, and since when. */
export function GoneNote() {
  const current = connection.value;
  return current.state === "gone" ? <Stale at={current.since} error={MESSAGE} /> : null;
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
