import type { ComponentChildren } from "preact";
import "./badge.css";
import { Icon, type IconName } from "./icon.tsx";

export type Meaning = "done" | "waits" | "failed" | "off" | "plain";

const ICONS: Readonly<Record<Exclude<Meaning, "plain">, IconName>> = {
  done: "check",
  waits: "clock",
  failed: "cross",
  off: "off",
};

/** A state: always an icon and a word, never colour alone. */
export function Badge({
  means,
  icon,
  title,
  children,
}: {
  readonly means: Meaning;
  readonly icon?: IconName;
  readonly title?: string;
  readonly children: ComponentChildren;
}) {
  const shown = icon ?? (means === "plain" ? undefined : ICONS[means]);
  return (
    <span class={`badge badge-${means}`} title={title}>
      {shown && <Icon name={shown} size={13} />}
      {children}
    </span>
  );
}
