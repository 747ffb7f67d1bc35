import { ANY } from "./any.ts";
import { DIRECTS } from "./en/directs.ts";
import { EXAMPLE_RULES } from "./en/examples.ts";
import { HEADS } from "./en/heads.ts";
import { LATER } from "./en/later.ts";
import { NEGATES } from "./en/negates.ts";
import { REFERENCES } from "./en/references.ts";
import { REQUIRES } from "./en/requires.ts";
import { TITLES } from "./en/titles.ts";
import { JA } from "./ja.ts";
import type { Rule } from "./rule.ts";
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
