import { useResource } from "../../api/resource.ts";
import { Command } from "../../parts/look/copy-button.tsx";
import { count, plural } from "../../parts/look/words.tsx";
import { Empty, Loaded } from "../../parts/state/states.tsx";
import { Card } from "./card.tsx";

/** What the skills cost before a model has loaded one. */
export function Cost() {
  const cost = useResource("/api/cost", undefined, { reloadOn: ["catalog"] });
  return (
    <Card title="What it costs in tokens">
      <Loaded of={cost} rows={4}>
        {({ skills, catalog, instructions, tools, tool_count, largest }) => (
          <>
            <dl class="costs">
              <div>
                <dt>
                  Each conversation over MCP
                  <span class="small quiet">
                    instructions {count(instructions)}, {plural(tool_count, "tool")} {count(tools)}
                  </span>
                </dt>
                <dd>{count(instructions + tools)}</dd>
              </div>
              <div>
                <dt>
                  All names and descriptions
                  <span class="small quiet">{plural(skills, "skill")}, if a client lists every one</span>
                </dt>
                <dd>{count(catalog)}</dd>
              </div>
            </dl>
            {skills === 0 ? (
              <Empty title="No skill is offered to models yet.">
                <Command text="knack new my-skill" />
              </Empty>
            ) : (
              <>
                <h3>Longest descriptions</h3>
                <ol class="bars">
                  {largest.slice(0, 6).map(({ id, name, tokens }) => (
                    <li key={id}>
                      <a class="clip mono" href={`/skills/${encodeURIComponent(id)}`}>
                        {name}
                      </a>
                      <span class="bar" aria-hidden="true">
                        <span
                          style={{ width: `${(tokens / Math.max(1, largest[0]?.tokens ?? 1)) * 100}%` }}
                        />
                      </span>
                      <span class="bar-value small">{count(tokens)}</span>
                    </li>
                  ))}
                </ol>
              </>
            )}
            <p class="small quiet">
              Estimated: four letters are about one token, of Chinese or Japanese one each.
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}
