import type { ApiError } from "../../api/client.ts";
import { Command, CopyButton } from "../../parts/look/copy-button.tsx";
import { PageHead } from "../../parts/page/title.tsx";
import { Empty, Failed } from "../../parts/state/states.tsx";

const EXAMPLE = "REQUIRED SUB-SKILL: Use code-review.";

export function NoSkills() {
  return (
    <div class="page">
      <PageHead title="Graph" />
      <Empty icon="graph" title="There are no skills here yet. Make the first one, or get some:">
        <Command text="knack new my-skill" />
        <Command text="knack add owner/repo" />
      </Empty>
    </div>
  );
}

/** Skills, but no edge between them. */
export function NoEdges() {
  return (
    <Empty icon="graph" title="No skill names another one yet. Write which skill comes next into a SKILL.md:">
      <span class="command">
        <code>{EXAMPLE}</code>
        <CopyButton text={EXAMPLE} name="Copy the example" />
      </span>
      <p class="small">The page draws the edge as soon as the file is saved.</p>
    </Empty>
  );
}

/** The skill of the address cannot be shown; it may have another name, or several have it. */
export function NoFocus({
  error,
  onRetry,
  addressOf,
}: {
  readonly error: ApiError;
  readonly onRetry: () => void;
  readonly addressOf: (focus: string) => string;
}) {
  return (
    <div class="page">
      <Failed error={error} onRetry={onRetry} />
      <ul class="no-focus">
        {error.candidates.map((one) => (
          <li key={one}>
            <a class="mono" href={addressOf(one)}>
              {one}
            </a>
          </li>
        ))}
        <li>
          <a href={addressOf("")}>Show the whole graph</a>
        </li>
      </ul>
    </div>
  );
}
