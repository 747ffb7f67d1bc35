import type { Catalog, Entry, Session, SkillScope } from "@knack/core";
import { changePolicy, configFiles, policyState } from "@knack/core/config";
import { normalize } from "@knack/core/text";
import { openProject, placeOf } from "../host/open-project.ts";
import type { GlobalOptions } from "../options.ts";
import { wrap } from "../terminal/text-width.ts";
import { escapeControl, escapeControlInText, shortPath } from "../terminal/visible.ts";

/** What the picker needs; tests pass their own. */
export interface Skills {
  readonly catalog: Catalog;
  search(asked: SearchQuery): Promise<SearchReply | undefined>;
  preview(entry: Entry): Promise<Preview>;
  switchSkill(entry: Entry): Promise<Switched>;
}

interface SkillsEvents {
  readonly progress: (folders: number) => void;
  readonly note: (line: string) => void;
  /** The search is ready. */
  readonly ready: () => void;
  /** There is a new `catalog`. */
  readonly changed: () => void;
  readonly failed: (error: Error) => void;
}

/** The current catalog through a session, so that loading, search and rules work as everywhere else. */
export class LiveSkills implements Skills {
  readonly #session: Session;
  #isSearchReady = false;

  private constructor(session: Session) {
    this.#session = session;
  }

  /** A person sees every skill, as with `knack list`: trust limits what models read and what runs. */
  static async open(options: GlobalOptions, events: SkillsEvents): Promise<LiveSkills> {
    const runtime = await openProject(options).runtime({
      offersProject: true,
      // Keys must be handled at once while the first index is made, which takes seconds.
      searchInBackground: true,
      onProgress: events.progress,
      tell: events.note,
      // A preview is not a load, so nothing is recorded.
      observe: async () => undefined,
    });
    const skills = new LiveSkills(runtime.session());
    runtime.follow(() => {
      skills.#session.adopt();
      events.changed();
      skills.#prepare(events.changed, events.failed);
    });
    skills.#prepare(events.ready, events.failed);
    return skills;
  }

  get catalog(): Catalog {
    return this.#session.catalog;
  }

  /** `undefined` until the first index is complete. */
  async search({ query, scope }: SearchQuery): Promise<SearchReply | undefined> {
    if (!this.#isSearchReady) return undefined;
    const { maxLimit } = this.catalog.config.skills.search;
    const { results, truncated } = this.catalog.search(query, { limit: maxLimit, scope });
    return { ranked: results.map(({ skill, fits }) => ({ path: skill.path, fits })), truncated };
  }

  preview(entry: Entry): Promise<Preview> {
    return readPreview(this.#session, entry);
  }

  async switchSkill(entry: Entry): Promise<Switched> {
    const switched = await switchSkill(this.catalog, entry);
    await this.#session.reload();
    return switched;
  }

  /** The first search builds the index of a catalog. */
  #prepare(done: () => void, failed: (error: Error) => void): void {
    const { catalog } = this;
    catalog.search("", { limit: 1 });
    Promise.resolve(catalog.searchReady).then(() => {
      this.#isSearchReady = true;
      done();
    }, failed);
  }
}

/** The last search result, joined with the current catalog: switching a skill changes how its row looks, not its position. */
export class ListedSkills {
  listing: Listing = { rows: [], truncated: false };
  #skills: Skills | undefined;
  #entries: ReadonlyMap<string, Entry> = new Map();
  /** Skills that were switched in this picker. */
  readonly #kept = new Set<string>();

  get catalog(): Catalog | undefined {
    return this.#skills?.catalog;
  }

  start(skills: Skills): void {
    this.#skills = skills;
  }

  /** Takes a new catalog. */
  lookUp(): void {
    this.#entries = new Map(this.catalog?.entries.map((entry) => [entry.skill.path, entry]));
  }

  entryAt(place: number): Entry | undefined {
    const row = this.listing.rows[place];
    return row && this.#entries.get(row.path);
  }

  /** Searches, and keeps the result unless a newer query came in; returns whether it was kept. */
  async find(wanted: Omit<Wanted, "kept">, isLast: () => boolean): Promise<boolean> {
    if (!this.#skills) return false;
    const { query, scope } = wanted;
    const found = query.trim() === "" ? undefined : await this.#skills.search({ query, scope });
    if (!isLast()) return false;
    this.listing = listEntries(this.#skills.catalog, { ...wanted, kept: this.#kept }, found);
    return true;
  }

  /** Entries exist only after the skills were loaded. */
  async preview(entry: Entry): Promise<Preview> {
    if (!this.#skills) throw new Error("There are no skills yet.");
    return this.#skills.preview(entry);
  }

  /** Switches a skill on or off; the list stays the same, so the same key undoes it. */
  async switchSkill(entry: Entry): Promise<{ readonly ok: boolean; readonly message: string }> {
    if (!this.#skills) return { ok: false, message: "" };
    // Before the catalog changes, which makes the list again.
    this.#kept.add(entry.skill.path);
    const switched = await this.#skills.switchSkill(entry);
    this.lookUp();
    return switched;
  }
}

/** Which skills to show. */
interface Wanted {
  readonly query: string;
  readonly scope: SkillScope | undefined;
  /** Include skills that cannot be used now. */
  readonly showsAll: boolean;
  /** Paths of skills that were switched in this picker; they stay visible, so that they can be switched back. */
  readonly kept: ReadonlySet<string>;
}

export interface Row {
  readonly path: string;
  /** Whether it is relevant; weaker matches are dimmed. */
  readonly fits: boolean;
}

export interface Listing {
  readonly rows: readonly Row[];
  /** Whether the search has more results. */
  readonly truncated: boolean;
}

/**
 * The rows for a query. Without words: all skills in catalog order. With words: the search results, then unusable skills
 * that contain the words (a search omits those). If nothing is relevant, as in the middle of a word, or the search is not
 * ready (`found` is undefined): the skills that contain the text.
 */
function listEntries(catalog: Catalog, wanted: Wanted, found: SearchReply | undefined): Listing {
  const { scope, showsAll, kept } = wanted;
  const shown = (entry: Entry): boolean =>
    (!scope || entry.skill.scope === scope) &&
    (entry.status === "active" || showsAll || kept.has(entry.skill.path));
  const words = wordsOf(wanted.query);
  const entries = catalog.entries.filter(shown);
  if (words.length === 0) return { rows: entries.map((entry) => rowOf(entry, true)), truncated: false };

  const byPath = new Set(entries.map(({ skill }) => skill.path));
  const ranked = (found?.ranked ?? []).filter(({ path }) => byPath.has(path));
  const isFitting = ranked.some(({ fits }) => fits);
  const seen = new Set(ranked.map(({ path }) => path));
  const contained = entries
    .filter(({ status, skill }) => (status !== "active" || !isFitting) && !seen.has(skill.path))
    .filter((entry) => contains(entry, words))
    .map((entry) => rowOf(entry, !found));
  // Skills that contain the exact text come before weaker matches.
  const rows = isFitting ? [...ranked, ...contained] : [...contained, ...ranked];
  return { rows, truncated: found?.truncated ?? false };
}

function rowOf({ skill }: Entry, fits: boolean): Row {
  return { path: skill.path, fits };
}

/** Not `fold`, which takes ten times as long: thousands of descriptions are looked through at every key. */
function wordsOf(query: string): string[] {
  return normalize(query, "NFC")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

function contains({ skill }: Entry, words: readonly string[]): boolean {
  const name = skill.name.toLowerCase();
  let description: string | undefined;
  return words.every((word) => {
    if (name.includes(word)) return true;
    description ??= skill.description.toLowerCase();
    return description.includes(word);
  });
}

/** More than anyone reads in a preview; `knack load` prints everything. */
const MAX_TEXT = 200_000;

/** A skill for a person: its metadata, its diagnostics, and what a model would read. */
export interface Preview {
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Whether `text` is what a model reads, or why it gets nothing. */
  readonly isServed: boolean;
  readonly text: readonly string[];
}

async function readPreview(session: Session, entry: Entry): Promise<Preview> {
  const { skill, status, reason } = entry;
  const { catalog } = session;
  const diagnostics = [...catalog.errors, ...catalog.warnings]
    .filter(({ path }) => path === skill.path)
    .map(({ code, line, message }) => `${code}${line === undefined ? "" : ` line ${line}`}: ${message}`);
  const { text, error } = await session.call(
    "skill_load",
    { path: skill.path, args: "" },
    { actor: "person" },
  );
  return {
    facts: [
      ["name", skill.name],
      ["status", reason === "" ? status : `${status}: ${reason}`],
      ["scope", skill.scope],
      ["path", shortPath(skill.path, catalog.cwd)],
      ["dialect", skill.dialect],
      ...(skill.command === undefined ? [] : [["command", `/${skill.command}`] as const]),
      ...(skill.disableModelInvocation ? [["models", "are not told of it"] as const] : []),
      ["about", skill.description],
      ...diagnostics.map((line) => ["remark", line] as const),
    ],
    isServed: !error,
    text: linesOf(error ? error.message : text),
  };
}

const NAME_WIDTH = "command".length + 2;

/** The preview in lines of this width: the metadata in columns, then what a model gets. */
export function previewLines({ facts, isServed, text }: Preview, width: number): string[] {
  const indent = width >= 3 * NAME_WIDTH ? NAME_WIDTH : 0;
  const heading = isServed ? "What a model gets to read" : "A model gets nothing";
  return [
    ...facts.flatMap(([name, value]) => {
      const [first = "", ...rest] = wrap(escapeControl(value.toWellFormed()), width - indent);
      if (indent === 0) return [name, first, ...rest];
      return [name.padEnd(indent) + first, ...rest.map((line) => " ".repeat(indent) + line)];
    }),
    "",
    `── ${heading} `.padEnd(width, "─").slice(0, width),
    "",
    ...text.flatMap((line) => wrap(line, width)),
  ];
}

function linesOf(text: string): string[] {
  const shown = escapeControlInText(text.slice(0, MAX_TEXT).toWellFormed()).replaceAll("\t", "    ");
  const lines = shown.split(/\r?\n/);
  return text.length > MAX_TEXT ? [...lines, `… and ${text.length - MAX_TEXT} more characters`] : lines;
}

/** The outcome, as a message for the user. */
interface Switched {
  readonly ok: boolean;
  readonly message: string;
}

/**
 * Switches a skill off or on in the user's configuration. By name, as `knack disable` does, unless several skills have that
 * name.
 */
async function switchSkill(catalog: Catalog, { skill, status }: Entry): Promise<Switched> {
  const kind = status === "disabled" ? "enable" : "disable";
  const place = placeOf(catalog.projectRoot);
  const file = configFiles(place).user;
  const { name, dir } = skill;
  const isShared = catalog.entries.filter((entry) => entry.skill.name === name).length > 1;
  const isByPath = kind === "enable" || isShared || /[/\\]|^[.~]/.test(name);
  await changePolicy(
    file,
    { kind, skill: name, skills: [skill], ...(isByPath ? { path: dir } : {}) },
    { home: place.home },
  );

  const { isEnabled, switches } = await policyState(place, [skill]);
  if (isEnabled === (kind === "enable"))
    return { ok: true, message: `${name} is now ${isEnabled ? "enabled" : "disabled"} (${file}).` };
  const [other] = switches;
  const where = other ? ` by skills.disabled in ${other.file}` : "";
  const remedy = other?.isOfProject ? `; run "knack enable ${name} --project"` : "";
  return { ok: false, message: `${name} is still ${isEnabled ? "enabled" : "disabled"}${where}${remedy}.` };
}

export interface SearchQuery {
  readonly query: string;
  readonly scope: SkillScope | undefined;
}

/** One search result, by its path. */
interface Ranked {
  readonly path: string;
  /** Whether it is relevant or a weaker match. */
  readonly fits: boolean;
}

export interface SearchReply {
  readonly ranked: readonly Ranked[];
  /** Whether there are more. */
  readonly truncated: boolean;
}
