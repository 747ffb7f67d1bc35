import type { Catalog, Entry, Session, SkillScope } from "@knack/core";
import { looksLikePath } from "@knack/core/config";
import { normalize } from "@knack/core/text";
import { changeSkillPolicy } from "../host/change-policy.ts";
import { openProject } from "../host/open-project.ts";
import { placeOf } from "../host/place.ts";
import type { GlobalOptions } from "../options.ts";
import { wrap } from "../terminal/text-width.ts";
import { escapeControl, escapeControlInText, shortPath } from "../terminal/visible.ts";

/** What the picker needs; tests pass their own. */
export interface PickerSkills {
  readonly catalog: Catalog;
  /** The results for a query; `undefined` until the first index is complete. */
  search(query: string, scope: SkillScope | undefined): Promise<Listing | undefined>;
  preview(entry: Entry): Promise<Preview>;
  switchSkill(entry: Entry): Promise<Switched>;
}

interface SkillsEvents {
  readonly progress: (folders: number) => void;
  readonly note: (line: string) => void;
  readonly ready: () => void;
  readonly changed: () => void;
  readonly failed: (error: Error) => void;
}

/**
 * The current catalog through a session, so that loading, search and rules work as everywhere else. A person sees every skill, as
 * with `knack list`: trust limits what models read and what runs.
 */
export async function openSkills(options: GlobalOptions, events: SkillsEvents): Promise<PickerSkills> {
  const runtime = await openProject(options).runtime({
    offersProject: true,
    // Keys must be handled at once while the first index is made, which takes seconds.
    searchInBackground: true,
    onProgress: events.progress,
    tell: events.note,
    // A preview is not a load, so nothing is recorded.
    observe: async () => undefined,
  });
  const session = runtime.session();
  let isSearchReady = false;
  // The first search builds the index of a catalog.
  const prepare = (done: () => void): void => {
    const { catalog } = session;
    catalog.search("", { limit: 1 });
    Promise.resolve(catalog.searchReady).then(() => {
      isSearchReady = true;
      done();
    }, events.failed);
  };
  runtime.follow(() => {
    session.adopt();
    events.changed();
    prepare(events.changed);
  });
  prepare(events.ready);
  return {
    get catalog() {
      return session.catalog;
    },
    search: async (query, scope) => {
      if (!isSearchReady) return undefined;
      const { maxLimit } = session.catalog.config.skills.search;
      const { results, truncated } = session.catalog.search(query, { limit: maxLimit, scope });
      return { rows: results.map(({ skill, fits }) => ({ path: skill.path, fits })), truncated };
    },
    preview: (entry) => readPreview(session, entry),
    switchSkill: async (entry) => {
      const switched = await switchSkill(session.catalog, entry);
      await session.reload();
      return switched;
    },
  };
}

interface Wanted {
  readonly query: string;
  readonly scope: SkillScope | undefined;
  readonly showsAll: boolean;
  /** Paths of skills that were switched in this picker; they stay visible, so that they can be switched back. */
  readonly kept: ReadonlySet<string>;
}

export interface Listing {
  /** `fits`: it is relevant; weaker matches are dimmed. */
  readonly rows: readonly { readonly path: string; readonly fits: boolean }[];
  readonly truncated: boolean;
}

/**
 * The rows for a query. Without words: all skills in catalog order. With words: the search results, then unusable skills
 * that contain the words (a search omits those). If nothing is relevant, as in the middle of a word, or the search is not
 * ready (`found` is undefined): the skills that contain the text.
 */
export function listEntries(catalog: Catalog, wanted: Wanted, found: Listing | undefined): Listing {
  const { scope, showsAll, kept } = wanted;
  const shown = (entry: Entry): boolean =>
    (!scope || entry.skill.scope === scope) &&
    (entry.status === "active" || showsAll || kept.has(entry.skill.path));
  const words = wordsOf(wanted.query);
  const entries = catalog.entries.filter(shown);
  if (words.length === 0)
    return { rows: entries.map(({ skill }) => ({ path: skill.path, fits: true })), truncated: false };

  const byPath = new Set(entries.map(({ skill }) => skill.path));
  const ranked = (found?.rows ?? []).filter(({ path }) => byPath.has(path));
  const isFitting = ranked.some(({ fits }) => fits);
  const seen = new Set(ranked.map(({ path }) => path));
  const contained = entries
    .filter(({ status, skill }) => (status !== "active" || !isFitting) && !seen.has(skill.path))
    .filter((entry) => contains(entry, words))
    .map(({ skill }) => ({ path: skill.path, fits: !found }));
  // Skills that contain the exact text come before weaker matches.
  const rows = isFitting ? [...ranked, ...contained] : [...contained, ...ranked];
  return { rows, truncated: found?.truncated ?? false };
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
  const isInName = (word: string): boolean => name.includes(word);
  if (words.every(isInName)) return true;
  const description = skill.description.toLowerCase();
  return words.every((word) => isInName(word) || description.includes(word));
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
    { actor: "person", readsOnly: true },
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

interface Switched {
  readonly ok: boolean;
  readonly message: string;
}

/** Switches a skill off or on in the user's configuration: by its name, as `knack disable` does, unless that means several. */
async function switchSkill(catalog: Catalog, { skill, status }: Entry): Promise<Switched> {
  const action = status === "disabled" ? "enable" : "disable";
  const { name, dir } = skill;
  const isShared = catalog.entries.filter((entry) => entry.skill.name === name).length > 1;
  const reference = action === "enable" || isShared || looksLikePath(name) ? dir : name;
  const place = placeOf(catalog.projectRoot);
  const { file, state, isSo, obstacles } = await changeSkillPolicy(action, reference, catalog, place, false);
  const now = state.isEnabled ? "enabled" : "disabled";
  if (isSo) return { ok: true, message: `${name} is now ${now} (${file}).` };
  return { ok: false, message: [`${name} is still ${now}`, ...obstacles].join(": ") };
}
