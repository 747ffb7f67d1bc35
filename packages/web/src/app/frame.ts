import { signal } from "@preact/signals";
import type { IconName } from "../parts/look.tsx";

interface Destination {
  readonly path: string;
  readonly words: string;
  readonly icon: IconName;
  /** The key after "g" that goes there. */
  readonly key: string;
}

/** The pages of the rail, in its order. */
export const DESTINATIONS: readonly Destination[] = [
  { path: "/", words: "Home", icon: "home", key: "h" },
  { path: "/skills", words: "Skills", icon: "skills", key: "s" },
  { path: "/graph", words: "Graph", icon: "graph", key: "g" },
  { path: "/try", words: "Try", icon: "try", key: "t" },
  { path: "/runs", words: "Runs", icon: "runs", key: "r" },
  { path: "/plans", words: "Plans", icon: "plans", key: "p" },
  { path: "/queue", words: "Queue", icon: "queue", key: "q" },
  { path: "/audit", words: "Audit", icon: "audit", key: "a" },
  { path: "/connect", words: "Connect", icon: "connect", key: "c" },
];

/** Whether an address belongs to a page of the rail. */
export const isUnder = (path: string, page: string): boolean =>
  path === page || (page !== "/" && path.startsWith(`${page}/`));

/** Which of the frame's own dialogs is open. */
export const float = signal<"palette" | "keys" | undefined>(undefined);

export function openFloat(name: "palette" | "keys"): void {
  float.value = name;
}

export function closeFloat(): void {
  float.value = undefined;
}
