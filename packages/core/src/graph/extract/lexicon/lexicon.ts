import { ALL_RULES } from "./all-rules.ts";
import type { Effect, Parts, Rule } from "./rule.ts";

/** Ids of the rules that decided something; `null` where none did. */
export type Why = readonly string[] | null;

export interface Match {
  readonly rule: Rule;
  /** Of the first part that the rule looks at. */
  readonly match: RegExpExecArray;
}

const SENTENCE_START =
  "^[\\s\\W]{0,6}(?:\\d+[.)]\\s*)?(?:(?:then|only|but|and|so|even|immediately|right|directly),?\\s+){0,2}";

/** The one place where rules meet texts. */
export class Lexicon {
  readonly #rules = new Map<Effect, Rule[]>();
  readonly #starts = new Map<Rule, RegExp>();
  readonly #observe: ((rule: Rule) => void) | undefined;

  /** `observe` is called for every rule that matches, also where an earlier one has decided; that takes longer. */
  constructor(rules: readonly Rule[], observe?: (rule: Rule) => void) {
    this.#observe = observe;
    for (const rule of rules) {
      const same = this.#rules.get(rule.effect);
      if (same) same.push(rule);
      else this.#rules.set(rule.effect, [rule]);
    }
  }

  /** The first rule of an effect that holds for these parts. */
  find(effect: Effect, parts: Parts): Rule | undefined {
    let found: Rule | undefined;
    for (const rule of this.#rules.get(effect) ?? []) {
      if (!holds(rule, parts)) continue;
      found ??= rule;
      if (!this.#observe) break;
      this.#observe(rule);
    }
    return found;
  }

  has(effect: Effect, parts: Parts): boolean {
    return this.find(effect, parts) !== undefined;
  }

  /** The id of the rule that holds, to be told as the reason. */
  why(effect: Effect, parts: Parts): Why {
    const rule = this.find(effect, parts);
    return rule ? [rule.id] : null;
  }

  /** The same for a text alone. */
  says(effect: Effect, text: string): Why {
    return this.why(effect, { text });
  }

  /** Whether a sentence begins with it: after a number, a sign, or words such as "then" and "only". */
  begins(effect: Effect, text: string): Why {
    for (const rule of this.#rules.get(effect) ?? []) {
      if (!this.#startOf(rule)?.test(text)) continue;
      this.#observe?.(rule);
      return [rule.id];
    }
    return null;
  }

  /** What a rule matched, for its groups and its place. */
  match(effect: Effect, text: string): Match | undefined {
    for (const rule of this.#rules.get(effect) ?? []) {
      const match = rule.when.text?.exec(text);
      if (!match) continue;
      this.#observe?.(rule);
      return { rule, match };
    }
    return undefined;
  }

  /** The match that begins last, over all rules of an effect. */
  last(effect: Effect, text: string, isMeant: (before: string) => boolean = () => true): Match | undefined {
    let last: Match | undefined;
    for (const rule of this.#rules.get(effect) ?? []) {
      const pattern = rule.when.text;
      if (!pattern) continue;
      for (const match of text.matchAll(everywhere(pattern))) {
        if (!isMeant(text.slice(0, match.index))) continue;
        this.#observe?.(rule);
        if (!last || match.index > last.match.index) last = { rule, match };
      }
    }
    return last;
  }

  #startOf(rule: Rule): RegExp | undefined {
    const { text } = rule.when;
    if (!text) return undefined;
    let start = this.#starts.get(rule);
    if (!start) {
      start = new RegExp(`${SENTENCE_START}(?:${text.source})`, text.flags);
      this.#starts.set(rule, start);
    }
    return start;
  }
}

function holds({ when, unless, needs }: Rule, parts: Parts): boolean {
  if (needs && !needs.every((fact) => parts.facts?.has(fact))) return false;
  for (const part in when) {
    const text = parts[part as keyof typeof when];
    if (text == null || !when[part as keyof typeof when]!.test(text)) return false;
  }
  for (const part in unless) {
    const text = parts[part as keyof typeof unless];
    if (text != null && unless[part as keyof typeof unless]!.test(text)) return false;
  }
  return true;
}

const GLOBAL = new Map<RegExp, RegExp>();

function everywhere(pattern: RegExp): RegExp {
  let global = GLOBAL.get(pattern);
  if (!global) {
    global = new RegExp(pattern.source, `${pattern.flags}g`);
    GLOBAL.set(pattern, global);
  }
  return global;
}

export const LEXICON = new Lexicon(ALL_RULES);
