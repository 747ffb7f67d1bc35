import type { ComponentChildren } from "preact";
import { connection } from "../../api/events.ts";
import { Stale } from "./states.tsx";

const MESSAGE = new Error(
  'The server does not answer. Start it again with "knack serve"; this page returns by itself.',
);

/** Live data: greyed, with the time, while the server is gone. */
export function LiveView({ children }: { readonly children: ComponentChildren }) {
  const current = connection.value;
  const isGone = current.state === "gone";
  return (
    <>
      {isGone && <Stale at={current.since} error={MESSAGE} />}
      <div class={isGone ? "is-stale" : ""}>{children}</div>
    </>
  );
}
