import { drive, type Ended } from "../drive.ts";
import type { Around, Conversation, Script } from "../model/conversation.ts";
import type { Way } from "../way.ts";

/** What the skill `release-notes` of the project is for, and its text. */
export const FITS = "Draft the release notes from the commits, before the release.";
const TEXT = "NORMAL-1 Read the commits.";
export const FITS_NOT = "What is 17 times 23?";

interface Talk extends Around {
  readonly script?: Script;
  /** Arguments behind the usual ones. */
  readonly more?: readonly string[];
}

export interface Asked {
  readonly conversation: Conversation;
  readonly ended: Ended;
  /** The first request in which the model could use a tool. */
  readonly body: string;
}

/** One prompt in a new process of the client, in a conversation of its own. */
export function ask(way: Way, prompt: string, talk?: Talk): Promise<Asked> {
  return start(way, way.client.args(prompt), talk);
}

/** The next prompt of the conversation before, in a new process of the client. */
export function goOn(way: Way, prompt: string, talk?: Talk): Promise<Asked> {
  return start(way, way.client.goesOn(prompt), talk);
}

export async function start(way: Way, args: readonly string[], talk: Talk = {}): Promise<Asked> {
  const conversation = way.model.begin(talk.script ?? sayDone(), talk);
  const ended = await drive(way, [...args, ...(way.client.hookArgs ?? []), ...(talk.more ?? [])]);
  return { conversation, ended, body: conversation.first?.body ?? "" };
}

export function* sayDone(): Script {
  yield* [];
  return "Done.";
}

export const times = (text: string, part: string): number => text.split(part).length - 1;

/** A request as a text in which quotes stand as they were written. */
const plainText = (body: string): string => body.replaceAll('\\"', '"').replaceAll("\\", "");

const POINTER = /skill \W*release-notes\W* \([^)]*\) fits this request/g;

/** How often a request has the text of the skill; of a client that may only be pointed to it, the pointer. */
export function given(way: Way, body: string): { readonly ok: boolean; readonly detail: string } {
  const texts = times(body, TEXT);
  if (!way.client.pointsOnly) return { ok: texts === 1, detail: `the text ${texts} ×` };
  const pointers = plainText(body).match(POINTER)?.length ?? 0;
  return { ok: pointers === 1 && texts === 0, detail: `a pointer ${pointers} ×, the text ${texts} ×` };
}
