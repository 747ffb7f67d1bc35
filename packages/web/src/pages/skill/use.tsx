import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { Table } from "../../parts/list.tsx";
import { Plot, type Series } from "../../parts/plot.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";

type Days = Answer<"/api/skills/{id}/use">["days"];
type Uses = { readonly client: string; loads: number; found: number; runs: number };

export function UseTab({ id }: { id: string }) {
  const params = { path: { id }, query: { days: 30 } };
  return (
    <Loaded of={useResource("/api/skills/{id}/use", params, { reloadOn: ["log"] })}>
      {({ days }) => <Uses days={days} />}
    </Loaded>
  );
}

function Uses({ days }: { days: Days }) {
  const clients = sumClients(days);
  if (clients.length === 0)
    return (
      <Empty
        icon="runs"
        title="No agent has used this skill in the last 30 days, or this project keeps no log yet."
      >
        <a href="/try">Try a request</a> or <a href="/connect">connect an agent</a>
      </Empty>
    );
  return (
    <>
      <Plot
        label="Loads and runs per day"
        times={days.map(({ day }) => day)}
        series={seriesOf(days, clients)}
      />
      <section class="section narrow">
        <h2>By client, last 30 days</h2>
        <Table
          label="Use by client"
          rows={clients}
          keyOf={({ client }) => client}
          columns={[
            ["Client", ({ client }) => <code>{client}</code>],
            ["Loads", ({ loads }) => loads],
            ["Found by a search", ({ found }) => found],
            ["Runs", ({ runs }) => runs],
          ]}
        />
      </section>
    </>
  );
}

const COLORS = ["--accent", "--done", "--waits", "--off"];

/** The busiest clients each with a colour, the others together. */
function seriesOf(days: Days, clients: readonly Uses[]): Series[] {
  const own = clients.slice(0, clients.length > COLORS.length ? COLORS.length - 1 : COLORS.length);
  const rest = clients.slice(own.length).map(({ client }) => client);
  const groups = [
    ...own.map(({ client }) => ({ name: client, of: [client] })),
    ...(rest.length > 0 ? [{ name: "others", of: rest }] : []),
  ];
  return groups.map(({ name, of }, place) => ({
    name,
    color: COLORS[place] ?? "--off",
    values: days.map(({ clients: used }) =>
      used
        .filter(({ client }) => of.includes(client))
        .reduce((sum, { loads, runs }) => sum + loads + runs, 0),
    ),
  }));
}

function sumClients(days: Days): Uses[] {
  const sums = new Map<string, Uses>();
  for (const { client, loads, found, runs } of days.flatMap((day) => day.clients)) {
    const one = sums.get(client) ?? { client, loads: 0, found: 0, runs: 0 };
    sums.set(client, { client, loads: one.loads + loads, found: one.found + found, runs: one.runs + runs });
  }
  return [...sums.values()].sort((a, b) => b.loads + b.runs - a.loads - a.runs);
}
