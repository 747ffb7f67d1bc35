import { TYPED } from "../catalog/typed-skill-names.ts";
import { fold } from "../shared/fold.ts";

/** The typed skill that a word means, with or without `typed:` before it; `undefined` where none or several are meant. */
export function typedNameOf(names: readonly string[], word: string): string | undefined {
  const wanted = word.startsWith(TYPED) ? word.slice(TYPED.length) : word;
  if (names.includes(wanted)) return wanted;
  const [one, ...others] = names.filter((name) => fold(name) === fold(wanted));
  return others.length === 0 ? one : undefined;
}
