import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { SkillError } from "@knack/core";
import { findProgram } from "@knack/core/internal";
import type { Client, Entry, Place } from "../mcp/client-config/client.ts";
import { type ClientFile, readClientFile } from "./client-file.ts";
import { jsonEditor } from "./edit/edit-json.ts";
import { tomlEditor } from "./edit/edit-toml.ts";
import { EditFault, type Editor } from "./edit/member.ts";
import { parseText } from "./plan/plan-change.ts";

export interface ClientState {
  readonly file: ClientFile;
  readonly editor: Editor;
  readonly document: Entry;
}

/** Reads the client's file; throws where it is broken. */
export function readClient(client: Client, place: Place): ClientState {
  const editor = client.syntax === "toml" ? tomlEditor : jsonEditor(client.syntax);
  const file = readClientFile(fileOf(client, place));
  try {
    return { file, editor, document: parseText(editor, file.text) };
  } catch (error) {
    throw brokenFile(error, client, file);
  }
}

/** The last of its files that exists: where a client reads several, the last one wins. */
export function fileOf(client: Client, place: Place): string {
  const files = client.files(place);
  return files.findLast((file) => existsSync(file)) ?? files[0];
}

export function brokenFile(error: unknown, client: Client, { path }: ClientFile): unknown {
  if (!(error instanceof EditFault)) return error;
  const where = error.line === undefined ? path : `${path}:${error.line}`;
  return new SkillError(
    "CONFIG_INVALID",
    `${where}: ${error.message}. Nothing was changed. Fix the file of ${client.title}, then run this again.`,
  );
}

/** How one sees that a client is on this machine: its program, or a folder of its own. */
export function signsOf(
  client: Client,
  place: Place,
): { readonly program?: string; readonly folder?: string } {
  const program = client.programs
    .map((name) => findProgram(name, place.env))
    .find((found) => found !== undefined);
  const file = fileOf(client, place);
  // The file of Claude Code is in the home folder itself.
  const sign = dirname(file) === place.home ? file : dirname(file);
  return { ...(program ? { program } : {}), ...(existsSync(sign) ? { folder: sign } : {}) };
}
