import { LiveConfig } from "../catalog/live-config.ts";
import type { WatchRefusal } from "../catalog/watch/watch-refusal.ts";
import { homeFolder } from "../config/home.ts";
import { canonicalCwd, findProjectRoot } from "../config/project-root.ts";
import { type Catalog, type OpenCatalogOptions, openCatalog } from "../open-catalog.ts";
import { type Policy, policyNow } from "../policy/policy-now.ts";
import { ProjectWatch, type ProjectWatchOptions } from "./project-watch.ts";

export interface LiveProjectOptions extends OpenCatalogOptions {
  /** Whether the skills are brought up to date before each call (document 001). `false`: only `reload` does. */
  readonly refreshOnCall?: boolean;
  /** Watches at most so many folders; with more, calls look at all files. */
  readonly maxFolders?: number;
}

/** Something that lives with the project and is brought up to date with it, such as the typed skills. */
export interface LivePart {
  /** Answers whether it changed. `force`: it is read again in any case. */
  refresh(force: boolean): Promise<boolean>;
}

/** Called with each next catalog. */
export type Listener = (catalog: Catalog) => void;

/**
 * A project as it is now: where it is, its configuration, whether its user trusts it, its skills and its rules. Sessions and
 * servers keep no copy of their own: they take snapshots from here, so all of them see the same.
 */
export class LiveProject {
  readonly config: LiveConfig;
  readonly #refreshOnCall: boolean;
  readonly #parts: LivePart[] = [];
  readonly #listeners = new Set<Listener>();
  #catalog: Catalog;
  /** The look or reading that is under way. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The look that has not begun yet. */
  #waiting: Promise<Catalog> | undefined;
  readonly #watchOptions: Pick<ProjectWatchOptions, "env" | "maxFolders">;
  #watch: ProjectWatch | undefined;

  private constructor(
    config: LiveConfig,
    catalog: Catalog,
    refreshOnCall: boolean,
    watchOptions: Pick<ProjectWatchOptions, "env" | "maxFolders">,
  ) {
    this.config = config;
    this.#catalog = catalog;
    this.#refreshOnCall = refreshOnCall;
    this.#watchOptions = watchOptions;
  }

  /** Throws where the configuration is wrong. */
  static async open(options: LiveProjectOptions = {}): Promise<LiveProject> {
    const { refreshOnCall = true, env = process.env, trusted = true, maxFolders, ...place } = options;
    const isTrusted = typeof trusted === "function" ? trusted : () => trusted;
    const home = options.home ?? homeFolder(env);
    const cwd = canonicalCwd(options.cwd ?? process.cwd());
    const projectRoot = findProjectRoot(cwd, home, env);
    const config = options.config ?? new LiveConfig(() => ({ projectRoot, home, env, trusted: isTrusted() }));
    const catalog = await openCatalog({ ...place, cwd, env, home, trusted, config });
    return new LiveProject(config, catalog, refreshOnCall, { env, maxFolders });
  }

  /** The newest snapshot that somebody asked for. */
  get catalog(): Catalog {
    return this.#catalog;
  }

  /** The rules and switches as they are now, also where `refreshOnCall` is off. */
  policy(): Promise<Policy> {
    return policyNow(this.config);
  }

  /** From now on it is brought up to date with the skills. */
  attach(part: LivePart): void {
    this.#parts.push(part);
  }

  /**
   * The skills for a call that begins now. A look that is under way may have passed what changed just before the call, so the
   * call gets the next one, together with all others that wait for it.
   */
  refresh(): Promise<Catalog> {
    if (!this.#refreshOnCall) return Promise.resolve(this.#catalog);
    this.#waiting ??= this.#after(() => {
      this.#waiting = undefined;
      return this.#look();
    });
    return this.#waiting;
  }

  /** Reads skills, configuration and typed skills again: the next snapshot, for everybody. Throws where the configuration is wrong. */
  reload(): Promise<Catalog> {
    return this.#after(async () => {
      const next = await this.#catalog.reload();
      for (const part of this.#parts) await part.refresh(true);
      this.#set(next);
      await this.#watch?.looked(true);
      return next;
    });
  }

  /**
   * Calls the listener with each next catalog until the answer is called. Meanwhile the skills are watched, but where only
   * `reload` brings new ones.
   */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#refreshOnCall)
      this.#watch ??= new ProjectWatch({
        ...this.#watchOptions,
        catalog: () => this.#catalog,
        refresh: () => this.refresh(),
      });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  /** Whether calls can trust what they hear of changes, and if not, why; nothing where nobody follows or it has just begun. */
  get watching(): true | WatchRefusal | undefined {
    return this.#watch?.refusal ?? (this.#watch?.isReady ? true : undefined);
  }

  /** Ends the watching. */
  close(): void {
    this.#watch?.close();
    this.#watch = undefined;
  }

  #after<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work);
    this.#turn = next.catch(() => undefined);
    return next;
  }

  async #look(): Promise<Catalog> {
    let force = false;
    for (const part of this.#parts) force = (await part.refresh(false)) || force;
    const heard = await this.#watch?.changed();
    const started = performance.now();
    try {
      const before = this.#catalog;
      const changed = heard && before.isSameOutside() ? heard : undefined;
      if (changed?.size === 0 && !force && (await before.hasSameSettings())) return before;
      // Which tools a skill may name depends on the parts.
      const next = this.#set(await before.update({ force, changed }));
      await this.#watch?.looked(next !== before, performance.now() - started);
      return next;
    } catch (error) {
      this.#watch?.putBack(heard);
      throw error;
    }
  }

  #set(next: Catalog): Catalog {
    if (next === this.#catalog) return next;
    this.#catalog = next;
    for (const listener of [...this.#listeners]) listener(next);
    return next;
  }
}
