import { KnackError, quote } from "@knack/core/text";

export interface GlobalOptions {
  readonly json?: boolean;
  readonly cwd?: string;
}

/** Reads the value of an option; `flag` is its name, for the message. */
export type ReadValue<T = unknown> = (given: string, flag: string) => T;

/** A request that is wrong in itself, that names what is not there, that what is there does not allow, or that its caller may not make; work that failed. */
export const invalid = (message: string): KnackError => new KnackError("INVALID_PARAM", message);
export const notFound = (message: string): KnackError => new KnackError("NOT_FOUND", message);
export const conflict = (message: string): KnackError => new KnackError("CONFLICT", message);
export const denied = (message: string): KnackError => new KnackError("ACCESS_DENIED", message);
export const executionError = (message: string): KnackError => new KnackError("EXECUTION_ERROR", message);

/** One of these words; `what` says in the message what they are. */
export function oneOf<T extends string>(given: string, all: readonly T[], what: string): T {
  const found = all.find((one) => one === given);
  if (found !== undefined) return found;
  throw invalid(`There is no ${what} ${quote(given)}. Name one of: ${all.join(", ")}.`);
}

/** A whole number of at least `least`, in digits alone. */
const wholeNumber =
  (least: number): ReadValue<number> =>
  (given, flag) => {
    const value = /^\d+$/.test(given) ? Number(given) : -1;
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw invalid(`${flag} must be a whole number of at least ${least}, not ${quote(given)}.`);
  };

export const atLeastOne: ReadValue<number> = wholeNumber(1);
export const atLeastZero: ReadValue<number> = wholeNumber(0);

export const priority: ReadValue<number> = (given, flag) => {
  if (/^-?\d{1,3}$/.test(given)) return Number(given);
  throw invalid(`${flag} takes a whole number, not ${quote(given)}.`);
};

/** `a,b`; an empty text has no names. */
export const names: ReadValue<readonly string[]> = (given) =>
  given
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** The same with one name at least. */
export const someNames: ReadValue<readonly string[]> = (given, flag) => {
  const found = names(given, flag);
  if (found.length > 0) return found;
  throw invalid(`${flag} takes names with commas between them, not ${quote(given)}.`);
};

export const date: ReadValue<Date> = (given, flag) => {
  const value = new Date(given);
  if (!Number.isNaN(value.getTime())) return value;
  throw invalid(`${flag} takes a date such as 2026-01-31, not ${quote(given)}.`);
};

/** A number from 0 to 1, or in percent. */
export const share: ReadValue<number> = (given, flag) => {
  const value = /^(?:\d+\.?\d*|\.\d+)$/.test(given) ? Number(given) : Number.NaN;
  if (!(value <= 100))
    throw invalid(`${flag} must be a number from 0 to 1, or in percent up to 100, not ${quote(given)}.`);
  // 64.31 / 100 is not quite 0.6431, and a share that is just reached must count.
  return value > 1 ? Number((value / 100).toFixed(6)) : value;
};

/** Seconds, as milliseconds. */
export const seconds: ReadValue<number> = (given, flag) => {
  const value = /^\d+(?:\.\d+)?$/.test(given) ? Number(given) : 0;
  if (value > 0 && value <= 2_000_000) return value * 1000;
  throw invalid(`${flag} must be a number of seconds above 0, not ${quote(given)}.`);
};

const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** Hours, days or weeks, as milliseconds; one hour at least. */
export const age: ReadValue<number> = (given, flag) => {
  const [, number = "", unit = ""] = /^(\d{1,5})([hdw])$/.exec(given) ?? [];
  const ms = Number(number) * (UNITS[unit] ?? 0);
  if (ms >= HOUR_MS) return ms;
  throw invalid(
    `${flag} must be a number of hours, days or weeks, at least 1h, like 12h, 7d or 4w, not ${quote(given)}.`,
  );
};
