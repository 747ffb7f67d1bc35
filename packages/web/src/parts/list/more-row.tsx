import { useEffect } from "preact/hooks";
import type { ApiError } from "../../api/client.ts";
import { Button } from "../look/button.tsx";

/** The last row of a list that comes in pages: loads the next one when it comes into view. */
export function MoreRow({
  error,
  more,
}: {
  readonly error: ApiError | undefined;
  readonly more: () => void;
}) {
  useEffect(() => {
    if (!error) more();
  });
  return (
    <div class="more-row" role="status">
      {error ? (
        <>
          {error.message}
          <Button small icon="refresh" onClick={more}>
            Try again
          </Button>
        </>
      ) : (
        "Loading more"
      )}
    </div>
  );
}
