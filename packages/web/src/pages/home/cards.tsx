import { signal } from "@preact/signals";
import type { ComponentProps } from "preact";
import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { Badge, Button, Command, count, Icon, now, plural, Time } from "../../parts/look.tsx";
import { Section } from "../../parts/page.tsx";
import { Plot } from "../../parts/plot.tsx";
import { skillPath } from "../../parts/skill.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";

const SPANS = [7, 30, 90] as const;
/** How far back both cards about use look. */
const span = signal<(typeof SPANS)[number]>(30);
type UseData = Answer<"/api/use">;

export const Card = (props: ComponentProps<typeof Section>) => <Section {...props} class="card box" />;

/** The skills with the largest values, with bars that compare them. */
function Bars({ of }: { of: readonly { id: string | null; name: string; value: number }[] }) {
  const largest = Math.max(1, ...of.map(({ value }) => value));
  return (
    <ol class="bars">
      {of.slice(0, 6).map(({ id, name, value }) => (
        <li key={id ?? name} class="row">
          <span class="fill clip mono">{id ? <a href={skillPath(id)}>{name}</a> : name}</span>
          <span class="meter" aria-hidden="true">
            <span style={{ width: `${(value / largest) * 100}%` }} />
          </span>
          <span class="small">{count(value)}</span>
        </li>
      ))}
    </ol>
  );
}

/** Over HTTP a client that has ended looks like one that is silent. */
const IDLE_MS = 5 * 60_000;
const isIdle = (lastSeen: string): boolean => now.value - Date.parse(lastSeen) > IDLE_MS;

/** Who is connected now: the clients of this server and of `knack mcp` in this project. */
export function Clients() {
  const clients = useResource("/api/clients", undefined, { reloadOn: ["clients"] });
  const number = clients.data?.count ?? 0;
  return (
    <Card title="Connected clients" aside={number > 0 && <Badge means="done" words={count(number)} />}>
      <Loaded of={clients} rows={2}>
        {(data) =>
          data.count === 0 ? (
            <Empty icon="connect" title="No agent is connected now.">
              <Button words="Connect one" href="/connect" look="main" />
            </Empty>
          ) : (
            <ul class="lines">
              {data.clients.map(({ id, name, version, transport, since, last_seen, calls }) => (
                <li key={id} class="item row">
                  <Icon name="connect" size={18} />
                  <div class="fill">
                    <p class="clip">
                      <b>{name}</b> <span class="small quiet">{version}</span>{" "}
                      {isIdle(last_seen) && <Badge means="off" words="Idle" />}
                    </p>
                    <p class="small quiet clip">
                      {transport === "stdio" ? "knack mcp" : "HTTP"} · connected <Time at={since} />
                    </p>
                  </div>
                  <div class="small nowrap">
                    <p>{plural(calls, "call")}</p>
                    <p class="quiet">
                      <Time at={last_seen} />
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

const KINDS = [
  { key: "loads", name: "Loads", color: "--accent" },
  { key: "searches", name: "Searches", color: "--waits" },
  { key: "runs", name: "Runs", color: "--done" },
] as const;

function useUse() {
  const query = { days: span.value };
  return useResource("/api/use", { query }, { reloadOn: ["log", "catalog"], keepPrevious: true });
}

export function Use() {
  const choices = (
    <div class="choices" role="group" aria-label="Days">
      {SPANS.map((days) => (
        <button
          key={days}
          type="button"
          class="pick"
          aria-pressed={days === span.value}
          onClick={() => {
            span.value = days;
          }}
        >
          {days} days
        </button>
      ))}
    </div>
  );
  return (
    <Card title="What agents use" aside={choices}>
      <Loaded of={useUse()} rows={6}>
        {(data) => <UsePlot data={data} />}
      </Loaded>
    </Card>
  );
}

function UsePlot({ data }: { data: UseData }) {
  const sums = KINDS.map(({ key }) => data.days.reduce((sum, day) => sum + day[key], 0));
  if (sums.every((sum) => sum === 0))
    return (
      <Empty icon="clock" title="No skill was used in this time, or the project has no log yet.">
        <span class="small">The first run creates the log, for example:</span>
        <Command text="knack run file_fingerprint --input README.md" />
      </Empty>
    );
  return (
    <>
      <dl class="sums row">
        {KINDS.map(({ key, name, color }, place) => (
          <div key={key} style={{ "--series": `var(${color})` }}>
            <dt class="small quiet">{name}</dt>
            <dd>{count(sums[place] ?? 0)}</dd>
          </div>
        ))}
      </dl>
      <Plot
        label="Loads, searches and runs per day"
        times={data.days.map(({ day }) => day)}
        series={KINDS.map(({ key, ...kind }) => ({ ...kind, values: data.days.map((day) => day[key]) }))}
        kind="line"
        height={150}
        isNamed
      />
      {data.clients.length > 0 && (
        <p class="small quiet">
          By client:{" "}
          {data.clients
            .slice(0, 4)
            .map(({ client, loads, searches, runs }) => `${client} ${count(loads + searches + runs)}`)
            .join(" · ")}
          {data.clients.length > 4 && ` · ${plural(data.clients.length - 4, "other")}`}
        </p>
      )}
    </>
  );
}

/** Which skills were used most, and which never: a description that nobody needs costs tokens all the same. */
export function UsedSkills() {
  return (
    <Card title="Skills" aside={<span class="small quiet">{span.value} days</span>}>
      <Loaded of={useUse()} rows={6}>
        {({ most_used: most, never_used: never }) =>
          most.length + never.count === 0 ? (
            <Empty icon="skills" title="There are no skills here yet.">
              <Command text="knack new my-skill" />
            </Empty>
          ) : (
            <>
              {most.length > 0 && <h3>Most used</h3>}
              <Bars of={most.map(({ id, name, uses }) => ({ id, name, value: uses }))} />
              {never.count > 0 && <h3>Never used</h3>}
              <ul class="never">
                {never.first.slice(0, 6).map(({ id, name, description }) => (
                  <li key={id} class="row">
                    <a class="mono clip" href={skillPath(id)}>
                      {name}
                    </a>
                    <span class="small quiet clip fill" title={description}>
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
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** What the skills cost before a model has loaded one. */
export function Cost() {
  return (
    <Card title="What it costs in tokens">
      <Loaded of={useResource("/api/cost")} rows={4}>
        {({ skills, catalog, instructions, tools, tool_count, largest }) => (
          <>
            <dl class="costs">
              <div class="row">
                <dt class="fill">
                  Each conversation over MCP
                  <span class="small quiet">
                    instructions {count(instructions)}, {plural(tool_count, "tool")} {count(tools)}
                  </span>
                </dt>
                <dd>{count(instructions + tools)}</dd>
              </div>
              <div class="row">
                <dt class="fill">
                  All names and descriptions
                  <span class="small quiet">{plural(skills, "skill")}, if a client lists every one</span>
                </dt>
                <dd>{count(catalog)}</dd>
              </div>
            </dl>
            {skills === 0 ? (
              <p class="small quiet">No skill is offered to models yet.</p>
            ) : (
              <>
                <h3>Longest descriptions</h3>
                <Bars of={largest.map(({ id, name, tokens }) => ({ id, name, value: tokens }))} />
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
