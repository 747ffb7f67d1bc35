const UNITS = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["week", 7 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** "3 minutes ago" in the user's language; a moment less than a minute away is "now". */
export function relativeTime(date: Date, now: number, locale?: string): string {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const away = date.getTime() - now;
  for (const [unit, ms] of UNITS) if (Math.abs(away) >= ms) return words.format(Math.trunc(away / ms), unit);
  return words.format(0, "second");
}
