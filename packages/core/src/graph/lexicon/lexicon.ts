import { ANY } from "./any.ts";
import { DIRECTS, HEADS, LATER, NEGATES, REQUIRES } from "./en-sentences.ts";
import { EXAMPLE_RULES, REFERENCES, TITLES } from "./en-titles.ts";
import { JA } from "./ja.ts";
import type { Effect, Parts, Rule, SentencePart } from "./rule.ts";
import { ZH } from "./zh.ts";

/** For each effect the first matching rule counts. */
export const ALL_RULES: readonly Rule[] = [
  ...DIRECTS,
  ...REQUIRES,
  ...HEADS,
  ...NEGATES,
  ...LATER,
  ...TITLES,
  ...EXAMPLE_RULES,
  ...REFERENCES,
  ...ZH,
  ...JA,
  ...ANY,
];

/** Ids of the rules that decided; `null` if none did. */
export type Why = readonly string[] | null;

interface Match {
  readonly rule: Rule;
  /** The match in the first part that the rule checks. */
  readonly match: RegExpExecArray;
}

const NONE: readonly Prepared[] = [];
const SENTENCE_START =
  "^[\\s\\W]{0,6}(?:\\d+[.)]\\s*)?(?:(?:then|only|but|and|so|even|immediately|right|directly),?\\s+){0,2}";

/** Matches rules against texts; no other code does. */
export class Lexicon {
  readonly #rules = new Map<Effect, Prepared[]>();

  constructor(rules: readonly Rule[]) {
    for (const rule of rules) {
      const same = this.#rules.get(rule.effect);
      if (same) same.push(prepare(rule));
      else this.#rules.set(rule.effect, [prepare(rule)]);
    }
  }

  find(effect: Effect, parts: Parts): Rule | undefined {
    return this.#rules.get(effect)?.find((prepared) => holds(prepared, parts))?.rule;
  }

  has(effect: Effect, parts: Parts): boolean {
    return this.find(effect, parts) !== undefined;
  }

  why(effect: Effect, parts: Parts): Why {
    const rule = this.find(effect, parts);
    return rule ? [rule.id] : null;
  }

  says(effect: Effect, text: string): Why {
    return this.why(effect, { text });
  }

  /** Of the first text that a rule matches. */
  saysOf(effect: Effect, texts: readonly string[]): Why {
    for (const text of texts) {
      const why = this.says(effect, text);
      if (why) return why;
    }
    return null;
  }

  /** Whether a sentence begins with it: after a number, a sign, or words such as "then" and "only". */
  begins(effect: Effect, text: string): Why {
    for (const { rule, start } of this.#rules.get(effect) ?? NONE) {
      if (start?.test(text)) return [rule.id];
    }
    return null;
  }

  match(effect: Effect, text: string): Match | undefined {
    for (const { rule } of this.#rules.get(effect) ?? NONE) {
      const match = rule.when.text?.exec(text);
      if (match) return { rule, match };
    }
    return undefined;
  }

  last(effect: Effect, text: string, isMeant: (before: string) => boolean = () => true): Match | undefined {
    let last: Match | undefined;
    for (const { rule, everywhere } of this.#rules.get(effect) ?? NONE) {
      for (const match of everywhere ? text.matchAll(everywhere) : []) {
        if (last && match.index <= last.match.index) continue;
        if (isMeant(text.slice(0, match.index))) last = { rule, match };
      }
    }
    return last;
  }
}

type Prepared = ReturnType<typeof prepare>;

/** Conditions as arrays, which are faster to iterate, and other uses of `text`. */
function prepare(rule: Rule) {
  const entries = (patterns: Rule["when"] = {}) => Object.entries(patterns) as [SentencePart, RegExp][];
  const { text } = rule.when;
  return {
    rule,
    when: entries(rule.when),
    unless: entries(rule.unless),
    start: text && new RegExp(`${SENTENCE_START}(?:${text.source})`, text.flags),
    everywhere: text && new RegExp(text.source, `${text.flags}g`),
  };
}

function holds({ rule: { needs }, when, unless }: Prepared, parts: Parts): boolean {
  if (needs) for (const fact of needs) if (!parts.facts?.has(fact)) return false;
  for (const [part, pattern] of when) {
    const text = parts[part];
    if (text == null || !pattern.test(text)) return false;
  }
  for (const [part, pattern] of unless) {
    const text = parts[part];
    if (text != null && pattern.test(text)) return false;
  }
  return true;
}

export const lexicon = new Lexicon(ALL_RULES);
