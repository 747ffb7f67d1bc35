import { useLocation } from "preact-iso";
import { Split } from "../../parts/list/split.tsx";
import { SplitHead } from "../../parts/list/split-parts.tsx";
import { PageHead } from "../../parts/page/title.tsx";
import { useQuery } from "../../parts/page/use-query.ts";
import { Empty } from "../../parts/state/states.tsx";
import { Chain, VerifyButton } from "./chain.tsx";
import { EventDetail } from "./event-detail.tsx";
import { EventList, useEvents } from "./event-list.tsx";
import { ExportButton } from "./export-button.tsx";
import "./audit.css";

/** The log: who did what, filtered, with one record in detail and the state of its chain. */
export function Page() {
  const { route } = useLocation();
  const { query, address } = useQuery();
  const events = useEvents();
  const chosen = query.seq ?? null;
  const event = events.items.find(({ seq }) => String(seq) === chosen);
  return (
    <div class="page-full audit">
      <Split
        hasDetail={event !== undefined}
        list={
          <>
            <SplitHead>
              <PageHead title="Audit">
                <VerifyButton />
                <ExportButton />
              </PageHead>
              <Chain />
            </SplitHead>
            <EventList
              events={events}
              chosen={chosen}
              onChoose={(seq) => route(address("/audit", { seq }), chosen !== null)}
            />
          </>
        }
        detail={
          event ? (
            <EventDetail event={event} />
          ) : (
            <Empty
              icon="audit"
              title="Choose a record to see what it says and which run or plan it belongs to."
            />
          )
        }
      />
    </div>
  );
}
