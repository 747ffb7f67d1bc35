import { isDeepStrictEqual } from "node:util";
import type { Picture, Tool } from "../access/tool.ts";
import { type ConfigLook, LiveConfig } from "../catalog/settings.ts";
import { TreeWatch, type WatchRefusal } from "../catalog/watch.ts";
import { findPlace, homeFolder } from "../config/places.ts";
import { type Catalog, type OpenCatalogOptions, openCatalog } from "../open-catalog.ts";
import { policyOf } from "../policy/permissions.ts";

export interface ProjectNowOptions extends Omit<OpenCatalogOptions, "withoutProject"> {
  /** Whether the skills are brought up to date before each call. `false`: only `reload` does. */
  readonly refreshOnCall?: boolean;
  /** With more folders nothing is watched, and calls look at all files. */
  readonly maxFolders?: number;
  /** Whether the project's own skills are offered; true by default. */
  readonly offersProject?: boolean | "trusted";
  readonly registry?: ReadonlyMap<string, Tool>;
}

export interface TypedSkillSource {
  /** All typed skills as tools; `undefined` where nothing changed, unless `force`. */
  refresh(files: readonly string[], trusted: boolean, force: boolean): Promise<readonly Tool[] | undefined>;
}

export type CatalogListener = (catalog: Catalog) => void;

/** The one owner of what a project is now. Each call takes a picture here and works with that; nobody keeps a copy. */
export class ProjectNow {
  readonly config: LiveConfig;
  readonly #options: ProjectNowOptions;
  #source: TypedSkillSource | undefined;
  readonly #listeners = new Set<CatalogListener>();
  #picture: Picture;
  /** The look that is under way. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The look that waits for it. */
  #waiting: Promise<Picture> | undefined;
  #watch: ProjectWatch | undefined;

  private constructor(config: LiveConfig, picture: Picture, options: ProjectNowOptions) {
    this.config = config;
    this.#picture = picture;
    this.#options = options;
  }

  /** Throws where the configuration is wrong. */
  static async open(options: ProjectNowOptions = {}): Promise<ProjectNow> {
    const { env = process.env, trusted = true, registry = new Map(), offersProject } = options;
    const isTrusted = typeof trusted === "function" ? trusted : () => trusted;
    const home = options.home ?? homeFolder(env);
    const { cwd, projectRoot } = findPlace(options, home, env);
    const config = options.config ?? new LiveConfig(() => ({ projectRoot, home, env, trusted: isTrusted() }));
    const withoutProject = (): boolean => !mayHaveProject(offersProject, isTrusted());
    const catalog = await openCatalog({ ...options, cwd, config, withoutProject });
    const picture = pictureOf(await config.look(), catalog, registry, offersProject);
    return new ProjectNow(config, picture, options);
  }

  get catalog(): Catalog {
    return this.#picture.catalog;
  }

  get registry(): Picture["registry"] {
    return this.#picture.registry;
  }

  /** Its typed skills are refreshed with each look from now on. */
  attach(source: TypedSkillSource): void {
    this.#source = source;
  }

  /**
   * The picture for a call that begins now; the same object where nothing changed. A look under way may have missed the
   * latest change, so waiting calls share the next one.
   */
  take(): Promise<Picture> {
    if (this.#options.refreshOnCall === false) return this.renew(this.#picture);
    this.#waiting ??= this.#after(() => {
      this.#waiting = undefined;
      return this.#look();
    });
    return this.#waiting;
  }

  /** The same skills and tools, with trust and rules as they are now: for a call that has waited. */
  async renew(picture: Picture): Promise<Picture> {
    return this.#next(await this.config.look(), picture.catalog, picture.registry);
  }

  async refresh(): Promise<Catalog> {
    return (await this.take()).catalog;
  }

  /** Reads everything again. Throws where the configuration is wrong. */
  reload(): Promise<Catalog> {
    return this.#after(async () => {
      const next = await this.catalog.reload();
      const look = await this.config.look();
      const registry = await this.#typedSkills(next.config.registry, look.trusted, true);
      this.#set(this.#next(look, next, registry));
      await this.#watch?.looked(true);
      return next;
    });
  }

  /** Calls the listener with each next catalog, until the returned function is called; meanwhile the skills are watched. */
  follow(listener: CatalogListener): () => void {
    this.#listeners.add(listener);
    if (this.#options.refreshOnCall !== false) this.#watch ??= new ProjectWatch(this, this.#options);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  /** Whether changes are heard of, or why not; `undefined` before that is known. */
  get watching(): true | WatchRefusal | undefined {
    const trees = this.#watch?.trees;
    return trees?.refusal ?? (trees?.isReady ? true : undefined);
  }

  close(): void {
    this.#watch?.close();
    this.#watch = undefined;
  }

  #after<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work);
    this.#turn = next.catch(() => undefined);
    return next;
  }

  async #look(): Promise<Picture> {
    const look = await this.config.look();
    const { registry: files } = look.loaded?.config ?? this.catalog.config;
    const registry = await this.#typedSkills(files, look.trusted, false);
    const before = this.catalog;
    const catalog = await this.#lookAtSkills(look, registry !== undefined);
    const picture = this.#set(this.#next(look, catalog, registry));
    // Only now: it watches the folders of the newest catalog.
    await this.#watch?.looked(catalog !== before);
    return picture;
  }

  async #lookAtSkills({ loaded, trusted }: ConfigLook, force: boolean): Promise<Catalog> {
    const heard = await this.#watch?.trees.changed();
    const started = performance.now();
    try {
      const before = this.catalog;
      const seen = loaded && {
        loaded,
        withoutProject: !mayHaveProject(this.#options.offersProject, trusted),
      };
      const changed = heard && before.hasSameUnwatchedInputs() ? heard : undefined;
      const isSame = !force && changed?.size === 0;
      if (isSame && (seen === undefined || (await before.hasSameSettings(seen)))) return before;
      // Which tools a skill may name depends on the typed skills.
      const next = await before.update({ force, changed, look: seen });
      if (this.#watch) this.#watch.lookMs = performance.now() - started;
      return next;
    } catch (error) {
      this.#watch?.trees.putBack(heard);
      throw error;
    }
  }

  async #typedSkills(
    files: readonly string[],
    trusted: boolean,
    force: boolean,
  ): Promise<Picture["registry"] | undefined> {
    const typed = await this.#source?.refresh(files, trusted, force);
    if (!typed) return undefined;
    const others = [...this.registry.values()].filter((tool) => !tool.typed);
    return new Map([...others, ...typed].map((tool) => [tool.name, tool]));
  }

  #next(look: ConfigLook, catalog: Catalog, registry = this.registry): Picture {
    const last = this.#picture;
    const seen = pictureOf(look, catalog, registry, this.#options.offersProject);
    const policy = isDeepStrictEqual(seen.policy, last.policy) ? last.policy : seen.policy;
    const next = { ...seen, policy };
    const isSame = (Object.keys(next) as (keyof Picture)[]).every((key) => next[key] === last[key]);
    return isSame ? last : next;
  }

  #set(next: Picture): Picture {
    const isNew = next.catalog !== this.catalog;
    this.#picture = next;
    if (isNew) for (const listener of [...this.#listeners]) listener(next.catalog);
    return next;
  }
}

function mayHaveProject(offers: ProjectNowOptions["offersProject"] = true, trusted: boolean): boolean {
  return offers === "trusted" ? trusted : offers;
}

/** While the configuration is wrong, the catalog's stays in force. */
function pictureOf(
  look: ConfigLook,
  catalog: Catalog,
  registry: Picture["registry"],
  offersProject: ProjectNowOptions["offersProject"],
): Picture {
  return {
    config: look.loaded?.config ?? catalog.config,
    trusted: look.trusted,
    hasProject: mayHaveProject(offersProject, look.trusted),
    policy: policyOf(look),
    catalog,
    registry,
  };
}

/** The first answers come before thousands of folders are watched. */
const START_MS = 500;
/** An editor saves in several steps. */
const SETTLE_MS = 50;
/** For what watched folders do not tell: configuration, trust, registries, roots. */
const CHECK_MS = 1_000;
/** For what nobody tells: memory maps, second names, mounts. */
const LOOK_MS = 60_000;
/** Where they cannot be watched. */
const POLL_MS = 2_000;
/** At most a fiftieth of the time goes into long looks. */
const REST = 50;

/** Keeps a catalog up to date in the background, and tells a call what it need not look at. */
class ProjectWatch {
  readonly #project: ProjectNow;
  readonly #isOff: boolean;
  readonly trees: TreeWatch;
  #timer: NodeJS.Timeout | undefined;
  #isDue = 0;
  #lastLook = performance.now();
  /** How long the last real look took. */
  lookMs = 0;
  #isClosed = false;

  constructor(project: ProjectNow, { env = process.env, maxFolders }: ProjectNowOptions) {
    this.#project = project;
    this.#isOff = env.KNACK_WATCH?.toLowerCase() === "off";
    this.trees = new TreeWatch({ seen: () => project.catalog, maxFolders, heard: () => this.#heard() });
    this.#timer = setTimeout(() => void this.#start(), START_MS).unref();
  }

  /** After a look; `isNew`: it saw something else. */
  async looked(isNew: boolean): Promise<void> {
    if (!isNew && !this.trees.isStale) return;
    await this.trees.follow();
    // It may have changed before it was watched.
    this.#heard();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.trees.close();
  }

  async #start(): Promise<void> {
    if (!this.#isOff) await this.trees.start();
    await this.#work();
  }

  /** In a storm of changes other work gets time too. */
  #heard(): void {
    this.#plan(Math.max(SETTLE_MS, this.lookMs * 3));
  }

  async #work(): Promise<void> {
    this.#timer = undefined;
    if (this.#isClosed) return;
    const now = performance.now();
    if (this.trees.isReady && now - this.#lastLook > Math.max(LOOK_MS, this.lookMs * REST)) {
      this.#lastLook = now;
      for (const { folders } of this.#project.catalog.trees)
        this.trees.putBack(folders.map(({ path }) => path));
    }
    // The calls that need the scan report its failure.
    await this.#project.take().catch(() => undefined);
    this.#plan(this.trees.isReady ? CHECK_MS : Math.max(POLL_MS, this.lookMs * REST));
  }

  /** At the latest in so many milliseconds. */
  #plan(ms: number): void {
    const at = performance.now() + ms;
    if (this.#isClosed || (this.#timer && this.#isDue <= at)) return;
    clearTimeout(this.#timer);
    this.#isDue = at;
    this.#timer = setTimeout(() => void this.#work(), ms).unref();
  }
}
