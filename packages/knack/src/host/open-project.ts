import {
  type Catalog,
  createRuntime,
  type OpenCatalogOptions,
  openCatalog,
  type Runtime,
  type RuntimeOptions,
} from "@knack/core";
import { type ConfigPlace, type CurrentConfig, LiveConfig } from "@knack/core/config";
import { trustNotice } from "@knack/core/session";
import type { Engine, EngineOptions } from "@knack/engine";
import type { GlobalOptions } from "../options.ts";
import { noteOnce, Progress } from "../terminal/output.ts";
import { count, pluralize } from "../terminal/visible.ts";
import { actorOr } from "./access.ts";
import { serverRemarks } from "./missing.ts";
import { placeAt, placeOf } from "./place.ts";
import { type Origin, type Recordable, Recorder } from "./record.ts";

type EngineParts = Pick<EngineOptions, "keepsWarm" | "guests">;

/** The current project. Nothing of it is read yet: each part is created on first use. */
export function openProject(options: GlobalOptions): Project {
  return new Project(placeAt(options));
}

export async function withProject<T>(
  options: GlobalOptions,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  const project = openProject(options);
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

/**
 * What a command or a server has of a project: one configuration, one engine, one database. Its parts share what they have
 * read, and `close` ends them together.
 */
export class Project {
  /** Whether it is trusted is of the start; `isTrusted` says it as it is now. */
  readonly place: ConfigPlace & { readonly cwd: string };
  readonly #config: LiveConfig;
  readonly #recorder: Recorder;
  #engine: Promise<Engine> | undefined;

  constructor(place: ConfigPlace & { readonly cwd: string }) {
    this.place = place;
    this.#config = new LiveConfig(() => placeOf(place.projectRoot));
    this.#recorder = new Recorder(place, this.#config);
  }

  /** Asked again as a conversation goes on: `knack trust` in another window is for it too. */
  get isTrusted(): boolean {
    return placeOf(this.place.projectRoot).trusted;
  }

  /** The configuration as it is now. Throws `KnackError` while it is wrong. */
  async config(): Promise<CurrentConfig> {
    const current = await this.#config.current();
    for (const line of current.notes) noteOnce(line);
    return current;
  }

  /** The skills as a person sees them, for a command that needs no conversation. */
  async catalog(more: Partial<OpenCatalogOptions> = {}): Promise<Catalog> {
    const catalog = await this.#withProgress((shared) => openCatalog({ ...shared, ...more }));
    for (const line of catalog.notes) noteOnce(line);
    return catalog;
  }

  /**
   * Skills for conversations. Where a model reads, an untrusted project's skills wait, and one line says so; a person at the
   * terminal reads what they like (`offersProject`). `by` is what records name. A server says more of what is missing.
   */
  async runtime(
    more: Partial<RuntimeOptions> & {
      readonly by?: string;
      readonly tell?: (line: string) => void;
      readonly isServer?: boolean;
    } = {},
  ): Promise<Runtime> {
    const { by = "cli", tell = noteOnce, isServer = false, ...given } = more;
    const runtime = await this.#withProgress((shared) =>
      createRuntime({
        ...shared,
        observe: async (event) => this.record(event, { by }),
        ...given,
      }),
    );
    const { catalog } = runtime;
    for (const line of catalog.notes) tell(line);
    if (isServer) for (const line of await serverRemarks(catalog, this.isTrusted)) tell(line);
    else if (catalog.waitingForTrust > 0) tell(trustNotice(catalog));
    return runtime;
  }

  /** The engine that runs the typed skills; `actor` is whom its log names. */
  engine(actor: string, more: EngineParts = {}): Promise<Engine> {
    this.#engine ??= this.#openEngine(actor, more);
    return this.#engine;
  }

  /** Takes down for the project's log what happened, and where it comes from. It is written later: see `recorded`. */
  record(event: Recordable, origin: Origin): void {
    this.#recorder.record(event, origin);
  }

  /** Resolves when everything that was taken down is in the log, or cannot be. */
  recorded(): Promise<void> {
    return this.#recorder.flush();
  }

  async close(): Promise<void> {
    // The caller that opened it got the error.
    const engine = await this.#engine?.catch(() => undefined);
    await engine?.endRuns();
    await this.#recorder.close();
    await engine?.close();
  }

  async #openEngine(actor: string, more: EngineParts): Promise<Engine> {
    const { projectRoot, cwd, env, home } = this.place;
    const { config } = await this.config();
    const { openEngine } = await import("@knack/engine");
    const engine = await openEngine({
      projectRoot,
      cwd,
      registry: config.registry,
      store: config.store.url,
      artifacts: config.artifacts.url,
      env,
      home,
      trusted: "ask",
      allowNone: config.isolation.allowNone,
      actor: () => actorOr(actor),
      onNote: noteOnce,
      config: this.#config,
      ...more,
    });
    this.#recorder.use(engine);
    return engine;
  }

  async #withProgress<T>(work: (shared: OpenCatalogOptions) => Promise<T>): Promise<T> {
    const { cwd, home, env } = this.place;
    const progress = new Progress((folders) => `Looking for skills: ${pluralize(folders, "folder")}`);
    const index = new Progress(
      (done, total) => `Reading skills for the search: ${count(done)} of ${count(total)}`,
    );
    const trusted = (): boolean => this.isTrusted;
    try {
      const shared = { cwd, home, env, trusted, config: this.#config, onProgress: progress.tell };
      return await work({ ...shared, onIndexProgress: index.tell });
    } finally {
      progress.end();
    }
  }
}

export async function withEngine<T>(
  options: GlobalOptions,
  work: (engine: Engine, projectRoot: string) => Promise<T>,
  /** By default one skill runs and the program ends. */
  more: EngineParts = { keepsWarm: false },
): Promise<T> {
  return withProject(options, async (project) =>
    work(await project.engine("cli", more), project.place.projectRoot),
  );
}
