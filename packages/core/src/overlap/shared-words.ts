import { tokenize } from "../search/text/tokenize.ts";
import { claimsOf, type Described, phraseClaim, quotedPhrases } from "./claims.ts";
import type { Having } from "./similar-claims.ts";

/** Nobody reads a longer list. */
const MAX_SHOWN = 6;
const WRITTEN = /[\p{L}\p{N}\p{M}]+/gu;

/** The claims of both skills, as the first writes them: phrases that both quote, then words, rarest first. */
export function sharedWords(a: Described, b: Described, having: Having): string[] {
  const own = claimsOf(a);
  const shared = new Set([...claimsOf(b)].filter((claim) => own.has(claim)));
  const rarity = new Map<string, number>();
  const add = (shown: string, claim: string): void => {
    const count = having.get(claim) ?? 0;
    rarity.set(shown, Math.min(rarity.get(shown) ?? count, count));
  };
  const phrases = quotedPhrases(a.description).filter((phrase) => shared.has(phraseClaim(phrase)));
  const seen = new Set<string>();
  for (const [word] of `${a.name} ${a.description}`.matchAll(WRITTEN)) {
    let stretch = "";
    for (const claim of tokenize(word)) {
      const isNew = shared.has(claim) && !seen.has(claim);
      seen.add(claim);
      if (!isNew) stretch = "";
      // Overlapping pairs of characters are joined again.
      else if (stretch !== "" && isPair(claim) && stretch.at(-1) === claim[0]) {
        const count = rarity.get(stretch);
        rarity.delete(stretch);
        stretch += claim.slice(1);
        rarity.set(stretch, Math.min(count ?? 0, having.get(claim) ?? 0));
      } else {
        stretch = isPair(claim) ? claim : "";
        add(stretch || word.toLowerCase(), claim);
      }
    }
  }
  const words = [...rarity].sort(([, one], [, other]) => one - other).map(([word]) => word);
  return [...new Set(phrases.map((phrase) => `"${phrase}"`)), ...words].slice(0, MAX_SHOWN);
}

const PAIR = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]{2}$/u;

function isPair(claim: string): boolean {
  return PAIR.test(claim);
}
