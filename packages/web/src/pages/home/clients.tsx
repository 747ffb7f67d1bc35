import { useResource } from "../../api/resource.ts";
import { Badge } from "../../parts/look/badge.tsx";
import { LinkButton } from "../../parts/look/button.tsx";
import { now } from "../../parts/look/clock.ts";
import { Icon } from "../../parts/look/icon.tsx";
import { count, plural, Time } from "../../parts/look/words.tsx";
import { Empty, Loaded } from "../../parts/state/states.tsx";
import { Card } from "./card.tsx";

/** Over HTTP a client that has ended looks like one that is silent. */
const IDLE_MS = 5 * 60_000;
const isIdle = (lastSeen: string): boolean => now.value - Date.parse(lastSeen) > IDLE_MS;

/** Who is connected now: the clients of this server and of `knack mcp` in this project. */
export function Clients() {
  const clients = useResource("/api/clients", undefined, { reloadOn: ["clients"] });
  const number = clients.data?.count ?? 0;
  return (
    <Card title="Connected clients" aside={number > 0 && <Badge means="done">{count(number)}</Badge>}>
      <Loaded of={clients} rows={2}>
        {(data) =>
          data.count === 0 ? (
            <Empty icon="connect" title="No agent is connected now.">
              <LinkButton href="/connect" look="main">
                Connect one
              </LinkButton>
            </Empty>
          ) : (
            <ul class="clients">
              {data.clients.map(({ id, name, version, transport, since, last_seen, calls }) => (
                <li key={id}>
                  <Icon name="connect" size={18} />
                  <div class="client-body">
                    <p class="clip">
                      <b>{name}</b> <span class="small quiet">{version}</span>{" "}
                      {isIdle(last_seen) && <Badge means="off">Idle</Badge>}
                    </p>
                    <p class="small quiet clip">
                      {transport === "stdio" ? "knack mcp" : "HTTP"} · connected <Time at={since} />
                    </p>
                  </div>
                  <div class="client-end small">
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
