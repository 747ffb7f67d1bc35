import { join } from "node:path";
import type { Catalog } from "@knack/core";
import { configFiles, homeFolder, knackHome } from "@knack/core/internal";
import { stampOf } from "../host/file-stamp.ts";
import type { Host } from "../host/host.ts";
import { messageOf } from "../terminal/message-of.ts";
import { note } from "../terminal/output.ts";
import { visible } from "../terminal/visible.ts";

/**
 * The catalog as it is now. A host tells of changes when it has noticed them; this also looks at the configuration and the
 * trust at each request, so that a skill which is switched off in another window is off here at the next one.
 */
export class CurrentCatalog {
  #catalog: Catalog;
  #stamp: string;
  readonly #files: readonly string[];
  #turn: Promise<unknown> = Promise.resolve();
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;

  constructor(host: Host, env: NodeJS.ProcessEnv = process.env) {
    this.#catalog = host.runtime.catalog;
    const home = homeFolder(env);
    const { user, project } = configFiles({ projectRoot: this.#catalog.projectRoot, home, env });
    this.#files = [user, project, join(knackHome(env, home), "trust.json")];
    this.#stamp = stampOf(this.#files);
    this.#stop = host.follow(() => {
      this.reload().catch((error: unknown) =>
        note(`note: The skills could not be reloaded: ${visible(messageOf(error))}`),
      );
    });
  }

  /** Throws `SkillError` while the configuration is wrong. */
  async get(): Promise<Catalog> {
    if (stampOf(this.#files) !== this.#stamp) await this.reload();
    return this.#catalog;
  }

  /** The last that was read, whatever has changed since. */
  get last(): Catalog {
    return this.#catalog;
  }

  /** Skills and configuration are read again, one reading after the other. */
  reload(): Promise<void> {
    const next = this.#turn.then(async () => {
      const stamp = stampOf(this.#files);
      this.#catalog = await this.#catalog.reload();
      this.#stamp = stamp;
      for (const listener of this.#listeners) listener();
    });
    this.#turn = next.catch(() => undefined);
    return next;
  }

  /** Calls `changed` after each reading, until it is told to stop. */
  follow(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  close(): void {
    this.#stop();
  }
}
