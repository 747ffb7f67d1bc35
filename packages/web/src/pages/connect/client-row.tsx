import { Badge } from "../../parts/look/badge.tsx";
import { Button } from "../../parts/look/button.tsx";
import { Command } from "../../parts/look/copy-button.tsx";
import type { Client, Wanted } from "./client.ts";

/** One agent: its state, its file, the button and the line that does the same. */
export function ClientRow({
  client: one,
  onWant,
}: {
  readonly client: Client;
  readonly onWant: (wanted: Wanted) => void;
}) {
  const { client, title, setup, current, file, command, error } = one;
  const want = (action: Wanted["action"]) => () => onWant({ client, title, action });
  return (
    <li class="connection">
      <div class="connection-name">
        <p>
          <b>{title}</b>
        </p>
        <p class="small quiet mono clip" title={file}>
          {file}
        </p>
      </div>
      <div class="connection-state">
        <State client={one} />
      </div>
      <div class="connection-actions">
        {setup === false && (
          <Button
            needs="owner"
            look={one.installed ? "main" : "plain"}
            aria-label={`Set up ${title}`}
            onClick={want("set up")}
          >
            Set up
          </Button>
        )}
        {setup && current === false && (
          <Button needs="owner" aria-label={`Update ${title}`} onClick={want("set up")}>
            Update
          </Button>
        )}
        {setup && (
          <Button needs="owner" look="danger" aria-label={`Remove from ${title}`} onClick={want("remove")}>
            Remove
          </Button>
        )}
        <Command text={command} />
      </div>
      {error && <p class="connection-error small">{error}</p>}
    </li>
  );
}

function State({ client: { setup, transport, current, installed } }: { readonly client: Client }) {
  if (setup === null) return <Badge means="failed">File is broken</Badge>;
  if (setup && transport === "http") return <Badge means="done">Set up, HTTP</Badge>;
  if (setup && current === false)
    return (
      <Badge means="waits" title="It starts another Knack than the one that serves this page.">
        Set up, other command
      </Badge>
    );
  if (setup) return <Badge means="done">Set up</Badge>;
  return installed ? <Badge means="waits">Not set up</Badge> : <Badge means="off">Not found</Badge>;
}
