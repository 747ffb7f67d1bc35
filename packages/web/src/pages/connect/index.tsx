import { useState } from "preact/hooks";
import { useResource } from "../../api/resource.ts";
import { PageHead } from "../../parts/page/title.tsx";
import { LiveView } from "../../parts/state/gone.tsx";
import { Loaded } from "../../parts/state/states.tsx";
import { Access } from "./access.tsx";
import { Change } from "./change.tsx";
import type { Wanted } from "./client.ts";
import { ClientRow } from "./client-row.tsx";
import { OtherClients } from "./other-clients.tsx";
import "./connect.css";

/** Every agent on this machine, with one button or one line to give it the skills. */
export function Page() {
  const clients = useResource("/api/connect", undefined, { reloadOn: ["clients"] });
  const [wanted, setWanted] = useState<Wanted>();
  return (
    <div class="page connect">
      <PageHead title="Connect" />
      <p class="prose quiet">
        An agent that is set up starts <code>knack mcp</code> and gets the skills of the project it works in.
        Knack adds one entry to the agent's own file, shows you the change first and keeps a backup.
      </p>
      <LiveView>
        <Loaded of={clients} rows={8}>
          {(data) => {
            const here = data.clients.filter(({ installed, setup }) => installed || setup);
            const others = data.clients.filter((one) => !here.includes(one));
            return (
              <>
                <section class="section">
                  <h2>On this machine</h2>
                  {here.length === 0 ? (
                    <p class="quiet">
                      None of the agents that Knack knows was found here. Install one, or set one up below.
                    </p>
                  ) : (
                    <ul class="connections">
                      {here.map((one) => (
                        <ClientRow key={one.client} client={one} onWant={setWanted} />
                      ))}
                    </ul>
                  )}
                </section>
                {others.length > 0 && (
                  <section class="section">
                    <h2>Not found on this machine</h2>
                    <ul class="connections">
                      {others.map((one) => (
                        <ClientRow key={one.client} client={one} onWant={setWanted} />
                      ))}
                    </ul>
                  </section>
                )}
                <OtherClients url={data.mcp} />
                <Access />
              </>
            );
          }}
        </Loaded>
      </LiveView>
      {wanted && (
        <Change
          wanted={wanted}
          onClose={() => setWanted(undefined)}
          onDone={() => {
            setWanted(undefined);
            clients.reload();
          }}
        />
      )}
    </div>
  );
}
