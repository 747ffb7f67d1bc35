import { isInside } from "@knack/core/internal";
import type { Place } from "../mcp/client-config/client.ts";
import { visiblePath } from "../terminal/visible.ts";

function tilde(path: string, { home }: Pick<Place, "home">): string {
  return path !== home && isInside(path, home) ? `~${path.slice(home.length)}` : path;
}

/** A path as people write it, with `~` for their home folder, safe for a screen. */
export function shown(path: string, { place }: { readonly place: Pick<Place, "home"> }): string {
  return visiblePath(tilde(path, place));
}
