import { join } from "node:path";
import { lookAtOwn, readOwn, removeQuietly, writeWhole } from "@knack/core/internal";
import * as z from "zod";
import { parseJson } from "../clients/presence-files.ts";
import { type PresencePlace, projectFolder } from "../clients/project-folder.ts";

/** Answers of a person on the page to questions of another process: a file each, which that process takes away. */

const answerSchema = z.strictObject({ answer: z.enum(["allow", "deny", "dismiss"]), always: z.boolean() });
export type QuestionAnswer = z.infer<typeof answerSchema>;

const MAX_BYTES = 1_000;

/** `id` is one that a process gave to its question, so it is a name without separators. */
const fileOf = (folder: string, id: string): string => join(folder, `answer-${id}.json`);

/** False where it could not be written. */
export function writeAnswer(place: PresencePlace, id: string, answer: QuestionAnswer): boolean {
  const { base, folder } = projectFolder(place);
  const file = fileOf(folder, id);
  if (lookAtOwn(base, file).kind === "refused") return false;
  return writeWhole(file, JSON.stringify(answer)) === undefined;
}

export function takeAnswer(place: PresencePlace, id: string): QuestionAnswer | undefined {
  const { base, folder } = projectFolder(place);
  const file = fileOf(folder, id);
  const content = readOwn(base, file, MAX_BYTES);
  if ("fault" in content) return undefined;
  removeQuietly(file);
  return answerSchema.safeParse(parseJson(content.bytes.toString("utf8"))).data;
}
