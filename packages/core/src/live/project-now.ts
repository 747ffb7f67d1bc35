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
  /** Watches at most so many folders; with more, calls look at all files. */
  readonly maxFolders?: number;
  /** Whether the project's own skills may be had, or only while it is trusted; true by default. */
  readonly offersProject?: boolean | "trusted";
  readonly registry?: ReadonlyMap<string, Tool>;
}

export interface TypedSkillSource {
  /** Every typed skill as a tool; `undefined` where they are as they were, unless `force` asks for a new reading. */
  refresh(files: readonly string[], trusted: boolean, force: boolean): Promise<readonly Tool[] | undefined>;
}

export type CatalogListener = (catalog: Catalog) => void;

/**
 * The one owner of what a project is now: where it is, its configuration, whether its user trusts it, its skills, its tools
 * and its rules. Sessions and servers keep no copy of their own: each call takes a picture here and works with that.
 */
export class ProjectNow {
  readonly config: LiveConfig;
  readonly #options: ProjectNowOptions;
  #source: TypedSkillSource | undefined;
  readonly #listeners = new Set<CatalogListener>();
  #picture: Picture;
  /** The look or reading that is under way. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The look that has not begun yet. */
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

  /** The newest snapshot that somebody asked for. */
  get catalog(): Catalog {
    return this.#picture.catalog;
  }

  /** The newest tools that somebody asked for. */
  get registry(): Picture["registry"] {
    return this.#picture.registry;
  }

  /** From now on the typed skills of this source are brought up to date with the skills. */
  attach(source: TypedSkillSource): void {
    this.#source = source;
  }

  /**
   * The picture for a call that begins now: one look at what may have changed, and the same object where nothing did. A look
   * that is under way may have passed what changed just before the call, so the call gets the next one, together with all
   * others that wait for it.
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

  /** Reads skills, configuration and typed skills again: the next picture, for everybody. Throws where the configuration is wrong. */
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

  /**
   * Calls the listener with each next catalog until the answer is called. Meanwhile the skills are watched, but where only
   * `reload` brings new ones.
   */
  follow(listener: CatalogListener): () => void {
    this.#listeners.add(listener);
    if (this.#options.refreshOnCall !== false) this.#watch ??= new ProjectWatch(this, this.#options);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  /** Whether calls can trust what they hear of changes, and if not, why; nothing where nobody follows or it has just begun. */
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
    const catalog = await this.#lookAtSkills(look, registry !== undefined);
    return this.#set(this.#next(look, catalog, registry));
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
      await this.#watch?.looked(next !== before, performance.now() - started);
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

  /** The same object where nothing is different. */
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

/** What a look says; while the configuration is wrong, the one of the skills stays in force. */
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

/** To watch thousands of folders takes time that the first answers should have. */
const START_MS = 500;
/** How long to wait after a change for the next one: an editor saves in several steps. */
const SETTLE_MS = 50;
/** While folders are watched, for what they do not tell: configuration, trust, registry files, roots. */
const CHECK_MS = 1_000;
/** While they are watched, for what nobody tells: writes through memory maps, second names, mounts. */
const LOOK_MS = 60_000;
/** Where they cannot be watched. */
const POLL_MS = 2_000;
/** A long look must not follow upon a long look: at most a fiftieth of the time goes into them. */
const REST = 50;

/** Keeps a catalog up to date in the background, and tells a call what it need not look at. */
class ProjectWatch {
  readonly #project: ProjectNow;
  readonly #isOff: boolean;
  readonly trees: TreeWatch;
  #timer: NodeJS.Timeout | undefined;
  #isDue = 0;
  #lastLook = performance.now();
  #lookMs = 0;
  #isClosed = false;

  constructor(project: ProjectNow, { env = process.env, maxFolders }: ProjectNowOptions) {
    this.#project = project;
    // Then nothing is watched, and every call looks.
    this.#isOff = env.KNACK_WATCH?.toLowerCase() === "off";
    this.trees = new TreeWatch({ seen: () => project.catalog, maxFolders, heard: () => this.#heard() });
    this.#timer = setTimeout(() => void this.#start(), START_MS).unref();
  }

  /** A look is over that took so long; `isNew`: it saw something else than the one before. */
  async looked(isNew: boolean, ms = this.#lookMs): Promise<void> {
    this.#lookMs = ms;
    if (!isNew && !this.trees.isStale) return;
    await this.trees.follow();
    // What was new is looked at once more: it may have changed before it was watched.
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

  /** In a storm of changes the looks leave time for others. */
  #heard(): void {
    this.#plan(Math.max(SETTLE_MS, this.#lookMs * 3));
  }

  async #work(): Promise<void> {
    this.#timer = undefined;
    if (this.#isClosed) return;
    const now = performance.now();
    if (this.trees.isReady && now - this.#lastLook > Math.max(LOOK_MS, this.#lookMs * REST)) {
      this.#lastLook = now;
      for (const { folders } of this.#project.catalog.trees)
        this.trees.putBack(folders.map(({ path }) => path));
    }
    // A failed scan is reported to the calls that need it; the next one may succeed.
    await this.#project.take().catch(() => undefined);
    this.#plan(this.trees.isReady ? CHECK_MS : Math.max(POLL_MS, this.#lookMs * REST));
  }

  /** The next work at the latest in so many milliseconds. */
  #plan(ms: number): void {
    const at = performance.now() + ms;
    if (this.#isClosed || (this.#timer && this.#isDue <= at)) return;
    clearTimeout(this.#timer);
    this.#isDue = at;
    this.#timer = setTimeout(() => void this.#work(), ms).unref();
  }
}
