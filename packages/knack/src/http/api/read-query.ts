import { HttpError } from "../server/http-error.ts";

/** A whole number of at least 1; larger values become the maximum. */
export function readCount(query: URLSearchParams, name: string, fallback: number, max: number): number {
  const text = query.get(name);
  if (text === null || text === "") return fallback;
  if (!/^\d+$/.test(text) || Number(text) < 1) throw wrong(name, "a whole number of at least 1");
  return Math.min(Number(text), max);
}

/** How many entries to answer. */
export function readLimit(query: URLSearchParams, fallback: number, max: number): number {
  return readCount(query, "limit", fallback, max);
}

/** A whole number of at least 0. */
export function readWhole(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^\d{1,15}$/.test(text)) throw wrong(name, "a whole number of at least 0");
  return Number(text);
}

/** A boolean; the name alone means true. */
export function readSwitch(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  if (text === "" || text === "true" || text === "1") return true;
  if (text === null || text === "false" || text === "0") return false;
  throw wrong(name, "true or false");
}

/** One of the given words. */
export function readChoice<T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const choice = choices.find((one) => one === text);
  if (choice === undefined) throw wrong(name, choices.join(", "));
  return choice;
}

/** A required text; it may be empty. */
export function readText(query: URLSearchParams, name: string): string {
  const text = query.get(name);
  if (text === null) throw new HttpError(400, "INVALID_PARAM", `"${name}" is missing: ?${name}=…`);
  return text;
}

function wrong(name: string, expected: string): HttpError {
  return new HttpError(400, "INVALID_PARAM", `"${name}" must be ${expected}.`);
}
