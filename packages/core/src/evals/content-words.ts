/** Words that say nothing about a subject, so a description is no better with them. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about above actually after again against ago all almost already also always am an and another any anyone anything are
  around as ask at away back be because been before being below best better between both but by call came can cannot
  check come could did do does doing done down during each either else enough even ever every everything few find first for
  from gave get gets getting give given go goes going good got had happens has have having he help hello her here hey hi him
  his how however i if in instead into is isn it its just keep kind know last least let lets like long look looking lot made
  make makes many may maybe me mean might mine more most much must my need needs never new next no nobody none nor not
  nothing now of off often ok okay old on once one only onto or other our ours out over own people per please put
  quite rather really right same say says see seem seems set shall she should show since so some someone something
  somewhere soon sorry start still stuff such sure take tell than thank thanks that the their them then there these they
  thing things think this those though through thus till time to today together tomorrow too took toward tried try trying
  two under until up upon us use used using very via want wants was way we well went were what when where whether which while
  who whom whose why will with within without won work works would wrong yes yesterday yet you your yours
  don doesn didn can't won't couldn wouldn shouldn aren wasn weren hasn haven hadn ain im ive id ill youre dont doesnt`
    .split(/\s+/)
    .filter((word) => word !== ""),
);
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
/** A longer word is a path or a code. */
const MAX_LENGTH = 24;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Japanese particles and endings. */
const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u;

/** The words of a prompt that may say what it is about: lower-case, each once, in their order. */
export function contentWords(prompt: string): string[] {
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter.segment(prompt.toWellFormed().slice(0, MAX_PROMPT))) {
    const word = segment.toLowerCase();
    if (isWordLike && isContent(word)) words.add(word);
  }
  return [...words];
}

const MAX_PROMPT = 8_000;

function isContent(word: string): boolean {
  if (word.length > MAX_LENGTH || !/\p{L}/u.test(word)) return false;
  if (CJK.test(word)) return word.length >= 2 && !HIRAGANA.test(word);
  return word.length >= 3 && /^[\p{L}\p{N}\p{M}]+$/u.test(word) && !FUNCTION_WORDS.has(word);
}
