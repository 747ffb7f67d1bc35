import { useResource } from "../../api/resource.ts";
import { Button } from "../../parts/look/button.tsx";
import { Command } from "../../parts/look/copy-button.tsx";
import { Empty, Loaded } from "../../parts/state/states.tsx";
import { requestFrom } from "./request-from.ts";

/** Before the first request: some to begin with, made from what the skills here say they are for. */
export function Starts({ onChoose }: { readonly onChoose: (words: string) => void }) {
  const skills = useResource("/api/skills", { query: { limit: 5 } }, { reloadOn: ["catalog"] });
  return (
    <Loaded of={skills} rows={3}>
      {(data) =>
        data.skills.length === 0 ? (
          <Empty icon="skills" title="There are no skills here yet, so nothing can be found.">
            <Command text="knack new my-skill" />
          </Empty>
        ) : (
          <Empty
            icon="try"
            title="See which skill an agent would find, where the request goes, and the very text the agent would read."
          >
            {data.skills.map(({ id, description }) => (
              <Button key={id} class="try-start" onClick={() => onChoose(requestFrom(description))}>
                <span class="clip">{requestFrom(description)}</span>
              </Button>
            ))}
          </Empty>
        )
      }
    </Loaded>
  );
}
