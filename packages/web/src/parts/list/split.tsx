import type { ComponentChildren } from "preact";
import "./split.css";

/** List and detail side by side from 1,000 px on. Below, the detail is shown alone, or not at all. */
export function Split({
  list,
  detail,
  hasDetail,
}: {
  readonly list: ComponentChildren;
  readonly detail: ComponentChildren;
  /** Whether something is open, so that a narrow screen shows it instead of the list. */
  readonly hasDetail: boolean;
}) {
  return (
    <div class={`split ${hasDetail ? "split-open" : ""}`}>
      <div class="split-list">{list}</div>
      <div class="split-detail">{detail}</div>
    </div>
  );
}
