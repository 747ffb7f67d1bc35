import { isInside } from "@knack/core/internal";
import type { Place } from "../mcp/client-config/client.ts";

/** A path as people write it: with `~` for their home folder. */
export function tilde(path: string, { home }: Pick<Place, "home">): string {
  return path !== home && isInside(path, home) ? `~${path.slice(home.length)}` : path;
}
