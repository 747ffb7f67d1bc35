import type { ComponentChildren } from "preact";
import "./form.css";

/** What the server found wrong, and where. */
export interface Fault {
  readonly at: readonly string[];
  readonly message: string;
}

/** The faults of exactly this place, and for a field that shows a whole value also of what is inside it. */
export function faultsAt(
  faults: readonly Fault[],
  path: readonly string[],
  isWhole = false,
): readonly Fault[] {
  return faults.filter(
    ({ at }) =>
      (at.length === path.length || (isWhole && at.length > path.length)) &&
      path.every((one, place) => one === at[place]),
  );
}

export const idOf = (path: readonly string[]): string => `field-${path.join("-").replaceAll(/[^\w-]/g, "_")}`;

/** A field with its name, what it means, and what is wrong with it. */
export function Field({
  path,
  name,
  about,
  isRequired,
  faults,
  children,
  side,
}: {
  readonly path: readonly string[];
  readonly name: string;
  readonly about?: unknown;
  readonly isRequired: boolean;
  readonly faults: readonly Fault[];
  readonly children: ComponentChildren;
  /** Beside the name. */
  readonly side?: ComponentChildren;
}) {
  const id = idOf(path);
  return (
    <div class={`field ${faults.length > 0 ? "field-wrong" : ""}`}>
      <div class="field-name">
        <label for={id}>{name}</label>
        {isRequired ? <span class="quiet small">required</span> : null}
        {side}
      </div>
      {typeof about === "string" && about !== "" && (
        <p class="field-about quiet small" id={`${id}-about`}>
          {about}
        </p>
      )}
      {children}
      <Wrong id={id} faults={faults} />
    </div>
  );
}

export function Wrong({ id, faults }: { readonly id: string; readonly faults: readonly Fault[] }) {
  return (
    <p class="field-fault small" id={`${id}-fault`} aria-live="polite">
      {faults.map(({ message }) => message).join(" ")}
    </p>
  );
}

/** What ties an input to its name, its meaning and its faults. */
export function inputProps(path: readonly string[], faults: readonly Fault[], hasAbout: boolean) {
  const id = idOf(path);
  const described = [hasAbout ? `${id}-about` : "", faults.length > 0 ? `${id}-fault` : ""].filter(Boolean);
  return {
    id,
    "aria-invalid": faults.length > 0,
    ...(described.length > 0 ? { "aria-describedby": described.join(" ") } : {}),
  };
}
