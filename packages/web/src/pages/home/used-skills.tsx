import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { Command } from "../../parts/look/copy-button.tsx";
import { count, plural } from "../../parts/look/words.tsx";
import { Empty, Loaded } from "../../parts/state/states.tsx";
import { Card } from "./card.tsx";
import type { Days } from "./use.tsx";

/** Which skills were used most, and which never: a description that nobody needs costs tokens all the same. */
export function UsedSkills({ days }: { readonly days: Days }) {
  const use = useResource(
    "/api/use",
    { query: { days } },
    { reloadOn: ["log", "catalog"], keepPrevious: true },
  );
  return (
    <Card title="Skills" aside={<span class="small quiet">{days} days</span>}>
      <Loaded of={use} rows={6}>
        {(data) =>
          data.most_used.length + data.never_used.count === 0 ? (
            <Empty icon="skills" title="There are no skills here yet.">
              <Command text="knack new my-skill" />
            </Empty>
          ) : (
            <Lists data={data} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Lists({ data }: { readonly data: Answer<"/api/use"> }) {
  const { most_used: most, never_used: never } = data;
  const top = Math.max(1, ...most.map(({ uses }) => uses));
  return (
    <>
      {most.length > 0 && (
        <div>
          <h3>Most used</h3>
          <ol class="bars">
            {most.slice(0, 6).map(({ id, name, uses }) => (
              <li key={name}>
                {id ? (
                  <a class="clip mono" href={`/skills/${encodeURIComponent(id)}`}>
                    {name}
                  </a>
                ) : (
                  <span class="clip mono">{name}</span>
                )}
                <span class="bar" aria-hidden="true">
                  <span style={{ width: `${(uses / top) * 100}%` }} />
                </span>
                <span class="bar-value small">{count(uses)}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
      {never.count > 0 && (
        <div>
          <h3>Never used</h3>
          <ul class="never">
            {never.first.slice(0, 6).map(({ id, name, description }) => (
              <li key={id}>
                <a class="mono" href={`/skills/${encodeURIComponent(id)}`}>
                  {name}
                </a>{" "}
                <span class="small quiet clip" title={description}>
                  {description}
                </span>
              </li>
            ))}
          </ul>
          {never.count > 6 && (
            <p class="small">
              <a href="/skills">{plural(never.count - 6, "more skill")}</a>
            </p>
          )}
        </div>
      )}
    </>
  );
}
