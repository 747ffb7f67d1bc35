import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { type Answer, ApiError, get } from "../../api/client.ts";
import { Dialog } from "../../parts/float/dialog.tsx";
import { Badge } from "../../parts/look/badge.tsx";
import { Button } from "../../parts/look/button.tsx";
import { CopyButton } from "../../parts/look/copy-button.tsx";
import { count, plural, Time } from "../../parts/look/words.tsx";

type Verification = Answer<"/api/audit/verify">;
type State =
  | { readonly kind: "checking" }
  | { readonly kind: "checked"; readonly of: Verification; readonly at: Date }
  | { readonly kind: "failed"; readonly error: Error };

/** Kept while the tab is open: checking reads the whole log. */
const state = signal<State>({ kind: "checking" });
let isBegun = false;

async function verify(head?: string): Promise<void> {
  state.value = { kind: "checking" };
  try {
    const of = await get("/api/audit/verify", head ? { query: { head } } : {});
    state.value = { kind: "checked", of, at: new Date() };
  } catch (error) {
    state.value = { kind: "failed", error: error instanceof ApiError ? error : new Error(String(error)) };
  }
}

/** Whether every record of the log still holds, checked when the page opens and on demand. */
export function Chain() {
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (isBegun) return;
    isBegun = true;
    void verify();
  }, []);
  return (
    <div class="chain" role="status">
      <Said of={state.value} />
      <span class="chain-end">
        <Button small look="quiet" onClick={() => setAsking(true)}>
          Verify a head
        </Button>
      </span>
      {isAsking && <HeadDialog onClose={() => setAsking(false)} />}
    </div>
  );
}

export function VerifyButton() {
  return (
    <Button icon="refresh" disabled={state.value.kind === "checking"} onClick={() => void verify()}>
      Verify
    </Button>
  );
}

function Said({ of }: { readonly of: State }) {
  if (of.kind === "checking")
    return (
      <Badge means="off" icon="clock">
        Checking the chain
      </Badge>
    );
  if (of.kind === "failed") return <Badge means="failed">{of.error.message}</Badge>;
  const { ok, count: records, head, rows, unchecked, running, message } = of.of;
  if (!ok)
    return (
      <div class="chain-broken">
        <Badge means="failed" icon="alert">
          The chain is broken
        </Badge>
        <span>{message}</span>
        <span class="quiet small">Valid before it: {plural(records, "record")}.</span>
      </div>
    );
  return (
    <>
      <Badge means="done" title={head ? `Head ${head}` : ""}>
        Chain verified
      </Badge>
      <span class="quiet small">
        {plural(records, "record")}
        {rows ? `, ${plural(rows, "row")}` : ""}
        {unchecked ? `, ${count(unchecked)} that cannot be checked` : ""}
        {running ? `, ${plural(running, "run")} in progress` : ""} · <Time at={of.at} />
      </span>
      {head && <CopyButton text={head} name="Copy the head of the chain" />}
    </>
  );
}

/** A head that was kept elsewhere shows that nothing was cut off since. */
function HeadDialog({ onClose }: { readonly onClose: () => void }) {
  const [head, setHead] = useState("");
  return (
    <Dialog title="Verify a head" onClose={onClose}>
      <form
        class="chain-form"
        onSubmit={(event) => {
          event.preventDefault();
          void verify(head.trim());
          onClose();
        }}
      >
        <p class="quiet small">
          The last line of an export is the head of the chain. If you kept one, check that the log still
          contains it: then nothing was removed or rewritten since.
        </p>
        <label for="chain-head">Head</label>
        <input
          id="chain-head"
          autofocus
          value={head}
          spellcheck={false}
          autoComplete="off"
          placeholder="64 hexadecimal digits"
          onInput={(event) => setHead(event.currentTarget.value)}
        />
        <Button type="submit" look="main" disabled={head.trim() === ""}>
          Verify
        </Button>
      </form>
    </Dialog>
  );
}
