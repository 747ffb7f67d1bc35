import { escapeWrapperTags } from "./wrapper-tags.ts";

/** A call of a tool, which is to be repeated for the next part of a text. */
export interface AskedCall {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Longer parameters are not repeated in each part. */
const MAX_PARAMS = 400;

/** How to get what begins at `offset`: the call to copy. */
export function nextCall({ tool, params }: AskedCall, offset: number): string {
  const { force: _, ...same } = params;
  const json = jsonForModel({ ...same, offset });
  return Buffer.byteLength(json) <= MAX_PARAMS
    ? `call ${tool} with ${json}`
    : `call ${tool} with the same parameters and "offset": ${offset}`;
}

/** JSON that reads as the same value, without markup: what a skill is called must not leave its place. */
function jsonForModel(value: unknown): string {
  const json = JSON.stringify(value).replace(/[<>&]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, written);
  return escapeWrapperTags(json) === json ? json : json.replace(/[^ -~]/gu, written);
}

function written(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
