import { signal } from "@preact/signals";

/** Which of the frame's own dialogs is open. */
export const float = signal<"palette" | "keys" | undefined>(undefined);

export function openFloat(name: "palette" | "keys"): void {
  float.value = name;
}

export function closeFloat(): void {
  float.value = undefined;
}
