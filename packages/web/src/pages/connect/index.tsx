import type { ComponentProps } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Answer, get, post } from "../../api/client.ts";
import { type Resource, useResource } from "../../api/data.ts";
import { act, FormButton } from "../../parts/action.tsx";
import { CodeBlock, Diff } from "../../parts/code.tsx";
import { toast } from "../../parts/float.tsx";
import { Badge, Command } from "../../parts/look.tsx";
import { PageHead } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { Access } from "./access.tsx";
import "./connect.css";

type Client = Answer<"/api/connect">["clients"][number];
type Preview = Answer<"/api/connect/{client}">;

type Action = "set up" | "remove";

export function Page() {
  const clients = useResource("/api/connect", undefined, { reloadOn: ["clients"] });
  return (
    <div class="page page-connect">
      <PageHead title="Connect" />
      <p class="prose quiet">
        An agent that is set up starts <code>knack mcp</code> and gets the skills of the project it works in.
        Knack adds its entry and its hooks to the agent's own files, shows you the change first and keeps a
        backup.
      </p>
      <Loaded of={clients} rows={8}>
        {(data) => {
          const here = data.clients.filter(({ installed, setup }) => installed || setup);
          const others = data.clients.filter((one) => !here.includes(one));
          const listed = (some: readonly Client[]) => (
            <ul class="lines">
              {some.map((one) => (
                <ClientRow key={one.client} client={one} onDone={clients.reload} />
              ))}
            </ul>
          );
          return (
            <>
              <section class="section">
                <h2>On this machine</h2>
                {here.length === 0 && (
                  <p class="quiet">
                    None of the agents that Knack knows was found here. Install one, or set one up below.
                  </p>
                )}
                {listed(here)}
              </section>
              {others.length > 0 && (
                <section class="section">
                  <h2>Not found on this machine</h2>
                  {listed(others)}
                </section>
              )}
              <OtherClients url={data.mcp} />
              <Access />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function ClientRow({ client: one, onDone }: { client: Client; onDone: () => void }) {
  const { title, setup, current, file, command, error } = one;
  const shared = { client: one, onDone };
  return (
    <li class="connection">
      <div class="clip">
        <b>{title}</b>
        <p class="small quiet mono clip" title={file}>
          {file}
        </p>
      </div>
      <div>
        <ClientState client={one} />
      </div>
      <div class="connection-actions row wrap">
        {setup === false && (
          <ChangeButton
            {...shared}
            words="Set up"
            aria-label={`Set up ${title}`}
            look={one.installed ? "main" : "plain"}
            action="set up"
          />
        )}
        {setup && current === false && (
          <ChangeButton {...shared} words="Update" aria-label={`Update ${title}`} action="set up" />
        )}
        {setup && (
          <ChangeButton
            {...shared}
            words="Remove"
            aria-label={`Remove from ${title}`}
            look="danger"
            action="remove"
          />
        )}
        <Command text={command} />
      </div>
      {error && <p class="fault">{error}</p>}
    </li>
  );
}

function ClientState({ client: { setup, transport, current, installed } }: { client: Client }) {
  if (setup === null) return <Badge means="failed" words="File is broken" />;
  if (setup && transport === "http") return <Badge means="done" words="Set up, HTTP" />;
  if (setup && current === false)
    return (
      <Badge
        means="waits"
        title="It starts another Knack than the one that serves this page, or has an older entry."
        words="Set up, out of date"
      />
    );
  if (setup) return <Badge means="done" words="Set up" />;
  return installed ? <Badge means="waits" words="Not set up" /> : <Badge means="off" words="Not found" />;
}

interface ChangeButtonProps extends Pick<ComponentProps<typeof FormButton>, "words" | "look" | "aria-label"> {
  readonly client: Client;
  readonly action: Action;
  readonly onDone: () => void;
}

/** Shows what would be written into the files of an agent, and writes it after a yes. */
function ChangeButton({ client: { client, title }, action, onDone, ...button }: ChangeButtonProps) {
  const [shown, setShown] = useState<Resource<Preview>>();
  const write = (wanted: Action, seen: string) =>
    post("/api/connect/{client}", { action: wanted, seen }, { path: { client } });
  const undo = async (): Promise<void> => {
    const back = action === "set up" ? "remove" : "set up";
    const { seen } = await get("/api/connect/{client}", { path: { client }, query: { action: back } });
    await write(back, seen);
  };
  /** The toast says what the agent's own check found. */
  const apply = async (): Promise<void> => {
    try {
      const { check } = await write(action, shown?.data?.seen ?? "");
      const done = action === "set up" ? `${title} is set up.` : `${title} is no longer set up.`;
      toast([done, check?.message ?? []].flat().join(" "), {
        undo: () => void act(undo, `${title} is as it was before.`, onDone),
        isFailure: check?.connected === false,
      });
      onDone();
    } catch (error) {
      // What was shown may be old.
      shown?.reload();
      throw error;
    }
  };
  return (
    <FormButton
      {...button}
      needs="owner"
      title={action === "set up" ? `Set up ${title}` : `Remove Knack from ${title}`}
      submit={action === "set up" ? "Write the change" : "Remove the entry"}
      canSubmit={shown?.data?.changes === true}
      run={apply}
    >
      <Changes client={client} action={action} onShown={setShown} />
    </FormButton>
  );
}

interface ChangesProps extends Pick<ChangeButtonProps, "action"> {
  readonly client: string;
  readonly onShown: (shown: Resource<Preview>) => void;
}

function Changes({ client, action, onShown }: ChangesProps) {
  const preview = useResource("/api/connect/{client}", { path: { client }, query: { action } });
  useEffect(() => onShown(preview), [preview.data]);
  return (
    <Loaded of={preview} rows={4}>
      {({ changes, file: only, files, about, remarks }) => (
        <>
          {!changes && (
            <p class="small">
              Nothing to change in <code>{only}</code>
            </p>
          )}
          {files.map(({ file, diff }) => (
            <div key={file} class="stack">
              <p class="small">
                This changes <code>{file}</code>
              </p>
              <Diff text={diff.join("\n")} label={`Change of ${file}`} />
            </div>
          ))}
          {[...about, ...remarks].map((line) => (
            <p key={line} class="small quiet">
              {line}
            </p>
          ))}
        </>
      )}
    </Loaded>
  );
}

const STDIO = `{
  "mcpServers": {
    "knack": { "command": "knack", "args": ["mcp"] }
  }
}`;

/** For agents without a button: the entry that most of them take, and the address of this server. */
function OtherClients({ url }: { url: string }) {
  return (
    <section class="section">
      <h2>Any other MCP client</h2>
      <div class="others">
        <div class="stack">
          <h3>Started by the client</h3>
          <p class="small quiet">One process for each conversation. Most clients take this entry:</p>
          <CodeBlock text={STDIO} label="entry for a client" />
        </div>
        <div class="stack">
          <h3>Through this server</h3>
          <p class="small quiet">
            Streamable HTTP, with the header <code>Authorization: Bearer TOKEN</code>. The token is in{" "}
            <code>~/.knack/token</code>; on another machine, use an access token.
          </p>
          <Command text={url} />
          <p class="small quiet">To print the entry for an agent with this address:</p>
          <Command text={`knack setup claude --print --http ${url}`} />
        </div>
      </div>
    </section>
  );
}
