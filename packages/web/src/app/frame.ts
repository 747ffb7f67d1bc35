import { signal } from "@preact/signals";
import type { IconName } from "../parts/look.tsx";

/** The pages of the rail; `key` after "g" goes there. */
export const DESTINATIONS: readonly { path: string; words: string; icon: IconName; key: string }[] = [
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

export const isUnder = (path: string, page: string): boolean =>
  path === page || (page !== "/" && path.startsWith(`${page}/`));

export const float = signal<"palette" | "keys" | undefined>(undefined);

export const openFloat = (name: "palette" | "keys" | undefined): void => {
  float.value = name;
};
