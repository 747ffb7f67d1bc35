import type { ComponentChildren } from "preact";
import { ApiError } from "../api/client.ts";
import type { Resource } from "../api/data.ts";
import { connection } from "../api/events.ts";
import { Button, CopyButton, Icon, type IconName, Time, useAfter } from "./look.tsx";
import "./states.css";

interface EmptyProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Nothing here yet: one sentence, and the command or button that fills it. */
export function Empty({ icon = "info", title, children }: EmptyProps) {
  return (
    <div class="state column">
      <Icon name={icon} size={24} />
      <p class="state-title">{title}</p>
      {children && <div class="state-more row wrap">{children}</div>}
    </div>
  );
}

/** Loading takes no place for 200 ms; then grey lines in the shape of what comes. */
export function Loading({ rows = 6 }: { rows?: number | undefined }) {
  const isShown = useAfter(200);
  return (
    <div class="loading" role="status" aria-label="Loading">
      {isShown &&
        Array.from({ length: rows }, (_, row) => (
          <div key={row} class="loading-row row">
            <span style={{ width: `${35 + ((row * 37) % 50)}%` }} />
          </div>
        ))}
    </div>
  );
}

/** What went wrong, in the server's words, and what to do. */
export function Failed({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const code = error instanceof ApiError ? error.code : "INTERNAL_ERROR";
  return (
    <div class="state state-failed column" role="alert">
      <Icon name="alert" size={24} />
      <p class="state-title">{error.message}</p>
      <div class="state-more row wrap">
        {onRetry && <Button words="Try again" icon="refresh" onClick={onRetry} />}
        <CopyButton text={`${code}: ${error.message}\n${location.pathname}`} words="Copy details" />
      </div>
    </div>
  );
}

interface LoadedProps<T> {
  readonly of: Resource<T>;
  readonly rows?: number;
  readonly children: (data: T, reload: () => void) => ComponentChildren;
}

/** A view of a resource in each of its states; old data stay, greyed, when they cannot be renewed. */
export function Loaded<T>({ of, rows, children }: LoadedProps<T>) {
  const { data, error, at, reload } = of;
  if (data === undefined) return error ? <Failed error={error} onRetry={reload} /> : <Loading rows={rows} />;
  // That the server is gone is said by the frame.
  const isSaid = connection.value.state === "gone";
  // One element in both states: what is in it, and where it was scrolled to, stays.
  return (
    <>
      {error && at && !isSaid && (
        <p class="note means-waits small apart" role="status">
          <Icon name="clock" />
          <span>
            From <Time at={at} />. {error.message}
          </span>
        </p>
      )}
      <div class={error ? "is-stale" : "is-current"}>{children(data, reload)}</div>
    </>
  );
}
