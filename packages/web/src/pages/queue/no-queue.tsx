import { Command } from "../../parts/look/copy-button.tsx";

const CONFIG = "store: { url: postgres://knack@db.example.com/knack }";

/** The store is SQLite: what a queue is for, and how to get one. */
export function NoQueue() {
  return (
    <div class="no-queue">
      <h2>One person's store has no queue</h2>
      <p class="prose">
        This project keeps its runs in a SQLite file, and each run happens where it is asked for. A team keeps
        them in PostgreSQL: then any machine can queue a run, and workers on other machines take it.
      </p>
      <ol class="prose">
        <li>
          Set the store in <code>~/.knack/config.yaml</code> on each machine: <Command text={CONFIG} />
        </li>
        <li>
          Start a worker where the runs should happen: <Command text="knack worker" />
        </li>
        <li>
          Queue a run: <Command text="knack run file_fingerprint README.md --queue" />
        </li>
      </ol>
      <p class="prose quiet">
        Knack's <code>docs/team.md</code> has the details: tokens, trust on workers, retries and fairness.
      </p>
    </div>
  );
}
