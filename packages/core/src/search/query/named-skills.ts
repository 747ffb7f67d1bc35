import { compareText, fold } from "../../shared/fold.ts";
import type { SkillMetadata } from "../../skill/schema.ts";

interface NamedSkill {
  readonly skill: number;
  readonly reason: "exact_path" | "exact_name" | "prefix";
  readonly score: number;
}

/** A folded name and its skill. */
interface Name {
  readonly name: string;
  readonly skill: number;
}

/** Finds the skills that a query names: by path, by name, by the start of a name, or in a sentence. */
export class NamedSkills {
  /** Sorted by name. */
  readonly #names: readonly Name[];
  readonly #skills: readonly SkillMetadata[];
  #paths: ReadonlyMap<string, number> | undefined;
  /** Those whose words are not joined by hyphens, as if they were. */
  #others: readonly Name[] | undefined;

  constructor(skills: readonly SkillMetadata[]) {
    this.#names = sorted(skills.map(({ name }, skill) => ({ name: fold(name), skill })));
    this.#skills = skills;
  }

  /** `given`: the path that the query means, if it is one. */
  find(query: string, given: string | undefined): NamedSkill[] {
    const found: NamedSkill[] = [];
    const path = given === undefined ? undefined : this.#byPath(given);
    if (path !== undefined) found.push({ skill: path, reason: "exact_path", score: 1 });
    const name = fold(query);
    if (name === "") return found;
    for (let at = firstFrom(this.#names, name); this.#names[at]?.name.startsWith(name); at++) {
      const { name: whole = "", skill = 0 } = this.#names[at] ?? {};
      if (skill === path) continue;
      const reason = whole === name ? "exact_name" : "prefix";
      found.push({ skill, reason, score: name.length / whole.length });
    }
    return found;
  }

  /** The skills that a sentence calls by their whole name, as in "Use code-review on this". */
  calledIn(text: string): Set<number> {
    const called = new Set<number>();
    // Looking up every word takes longer than these two passes, and most requests call nothing.
    const mayBegin = new Set(Array.from(text.matchAll(BEFORE), ({ 0: cue, index }) => index + cue.length));
    const mayEnd = Array.from(text.matchAll(AFTER), ({ index }) => index);
    if (mayBegin.size + mayEnd.length === 0) return called;
    this.#others ??= hyphenated(this.#names);
    const lists = [this.#names, this.#others];
    const words = Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({ word, index }));
    const endOf = (place: number): number => words[place]!.index + words[place]!.word.length;
    for (let from = 0; from < words.length; from++) {
      const start = words[from]!.index;
      if (!mayBegin.has(start) && !mayEnd.some((end) => end > start && end < start + LONGEST)) continue;
      // The longest name that begins with this word.
      let meant: readonly number[] = [];
      let last = from;
      let name = "";
      for (let to = from; to < words.length; to++) {
        const { word, index } = words[to]!;
        if (to > from && !BETWEEN.test(text.slice(endOf(to - 1), index))) break;
        name = to > from ? `${name}-${fold(word)}` : fold(word);
        if (!lists.some((list) => list[firstFrom(list, name)]?.name.startsWith(name))) break;
        const same = lists.flatMap((list) => skillsNamed(list, name));
        if (same.length > 0) [meant, last] = [same, to];
      }
      const end = endOf(last);
      if (meant.length > 0 && isCall(text, start, end, last - from + 1)) {
        // Of `agent-wallet` and "Agent Wallet" the one that is spelt like that.
        const spelt = fold(text.slice(start, end));
        const exact = meant.filter((skill) => fold(this.#skills[skill]!.name) === spelt);
        for (const skill of exact.length > 0 ? exact : meant) called.add(skill);
      }
      from = last;
    }
    return called;
  }

  #byPath(path: string): number | undefined {
    this.#paths ??= new Map(
      this.#skills.flatMap(({ path, dir }, skill) => [[path, skill] as const, [dir, skill] as const]),
    );
    return this.#paths.get(path.replace(/(?<=.)[/\\]$/, ""));
  }
}

function sorted(names: readonly Name[]): Name[] {
  return names.toSorted((a, b) => compareText(a.name, b.name) || a.skill - b.skill);
}

const SEPARATORS = /[\s_:-]+/g;

/** Names whose words are not joined by single hyphens, as if they were. */
function hyphenated(names: readonly Name[]): Name[] {
  const others = names.filter(({ name }) => /[\s_:]|--/.test(name));
  return sorted(others.map(({ name, skill }) => ({ name: name.replace(SEPARATORS, "-"), skill })));
}

function skillsNamed(names: readonly Name[], name: string): number[] {
  const skills: number[] = [];
  for (let at = firstFrom(names, name); names[at]?.name === name; at++) skills.push(names[at]!.skill);
  return skills;
}

/** The place of the first name that is not before this one. */
function firstFrom(names: readonly Name[], name: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle]?.name ?? "") < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Chinese and Japanese put no space between a name in letters and what surrounds it. */
const WORD =
  /[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]]+|[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+/gv;
/** What may stand between the words of a name. */
const BETWEEN = /^(?:[-_:]|\s{1,3})$/;

/**
 * A name in a sentence need not mean the skill: most names are ordinary words, and "I just ran build-source" asks for what comes
 * next. So it must be called: by a verb, by the word "skill", or as `$name`. Of the dev prompts with such a call 97 % were written for
 * that skill, of those with a hyphenated name alone 36 %.
 */
function isCall(text: string, start: number, end: number, words: number): boolean {
  const before = text.slice(Math.max(0, start - LOOK), start);
  const after = text.slice(end, end + LOOK);
  if (GOES_ON.test(after) || NEGATED.test(before)) return false;
  if (DOLLAR.test(before)) return true;
  if (IS_PART.test(before)) return false;
  if (SKILL.test(after)) return !SUBJECT.test(before) && (words > 1 || DETERMINED.test(before));
  const isJoined = words > 1 && !/\s/.test(text.slice(start, end));
  if (isJoined) return VERB.test(before) || WITH.test(before) || COMMAND.test(before);
  return USE.test(before) && ENDS.test(after);
}

/** As far as anything looks; longer names are not found before the word "skill". */
const LOOK = 48;
const LONGEST = 100;
const THE = "(?:(?:the|my|our|this|skill)\\s+){0,2}[`\"'“‘「]?";
const CALL = "\\b(?:use|using|run|invoke|load|apply)\\s+";
const AFTER = /\bskill(?!\p{L})|技能|スキル/giu;
const BEFORE = new RegExp(`(?:${CALL}|\\b(?:with|via)\\s+)${THE}\\/?|用\\s*|\\$|^\\s*\\/`, "giu");
const ending = (pattern: string): RegExp => new RegExp(`(?:${pattern})$`, "iu");
/** The name is part of an identifier or a path. */
const IS_PART = /[\p{L}\p{N}_\-.\\@:#$](?<!用)$|\S\/$/u;
const GOES_ON = /^(?:[-_/\\@(]|[.:][\p{L}\p{N}])/u;
const NEGATED = ending(`(?:\\b(?:not|never|without|than|instead of)|n['’]t)\\s+(?:${CALL})?${THE}\\/?`);
const DOLLAR = /(?<![\p{L}\p{N}$\\])\$$/u;
const COMMAND = /^\s*\/$/;
const VERB = ending(`(?:${CALL}${THE}|用\\s*)\\/?`);
const WITH = ending(`\\b(?:with|via)\\s+${THE}`);
const DETERMINED = ending(`(?:${CALL}|\\b(?:with|via|the)\\s+)${THE}|用\\s*`);
const USE = ending(`(?:(?:^|[.!?;:\\n]\\s*|\\bplease\\s+)use\\s+)${THE}|用\\s*`);
const SKILL = /^[`"'”’」]?\s*(?:skill(?!\p{L})|技能|スキル)/iu;
/** "The code-review skill misses bugs" is about it. */
const SUBJECT = /(?:^|[.!?\n]\s*)the\s+$/iu;
/** "Use image to …", not "Use image compression". */
const ENDS =
  /^[`"'”’」]?(?:\s+(?:to|for|on|in|and|with|when|here|now|please)(?!\p{L})|\s*(?:[.,;:!?。，来]|$))/iu;
