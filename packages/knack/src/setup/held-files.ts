import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { KnackError } from "@knack/core/text";
import { findOwnProgram } from "../run-program.ts";
import { readClientFile, type ServerEntry, type Syntax, type UserPlace } from "./client-file.ts";
import type { Client } from "./clients.ts";
import { jsonEditor } from "./edit-json.ts";
import { tomlEditor } from "./edit-toml.ts";
import { sourceEditor } from "./hook-sources.ts";
import { knownHooks } from "./hooks.ts";
import { type EditFault, type Editor, parseText, placesOf } from "./plan-change.ts";

/** A file of a client, and what of Knack's it holds. */
export interface HeldFile {
  readonly path: string;
  readonly syntax: Syntax;
  readonly preamble?: ServerEntry | undefined;
  readonly holds: { readonly servers: boolean; readonly hooks: boolean; readonly settings: boolean };
}

/** The files of a client, that of the servers first; some clients have everything in one. */
export function filesOf(client: Client, place: UserPlace): readonly HeldFile[] {
  const { hooks, ownList, syntax, preamble } = client;
  const servers = fileOf(client, place);
  const ofHooks = hooks?.file(place);
  const ofSettings = ownList && (ownList.file?.(place) ?? servers);
  const holdsOf = (path: string) => ({
    servers: path === servers,
    hooks: path === ofHooks,
    settings: path === ofSettings,
  });
  const first = { path: servers, syntax, preamble, holds: holdsOf(servers) };
  if (!hooks || !ofHooks || ofHooks === servers) return [first];
  return [first, { path: ofHooks, syntax: hooks.syntax, preamble: hooks.preamble, holds: holdsOf(ofHooks) }];
}

/** Reads a file of a client; throws where it is broken. */
export function readClient(client: Client, place: UserPlace, held = filesOf(client, place)[0]) {
  const { path = "", syntax = client.syntax } = held ?? {};
  const file = readClientFile(path);
  const fault = (reason: string, line?: number): KnackError => {
    const where = line === undefined ? path : `${path}:${line}`;
    const next = `Nothing was changed. Fix the file of ${client.title}, then run this again.`;
    return new KnackError("CONFIG_INVALID", `${where}: ${reason}. ${next}`);
  };
  const editor = editorOf(syntax, fault);
  return { file, editor, document: parseText(editor, file.text) };
}

export function editorOf(syntax: Syntax, fault: EditFault): Editor {
  if (syntax === "toml") return tomlEditor(fault);
  return syntax === "source" ? sourceEditor(fault) : jsonEditor(syntax, fault);
}

/** Whether the file of the hooks has one of Knack's; `null` for a client without hooks. */
export function hasHooks(client: Client, place: UserPlace): boolean | null {
  const { hooks } = client;
  const held = filesOf(client, place).find(({ holds }) => holds.hooks);
  if (!hooks || !held) return null;
  const { document } = readClient(client, place, held);
  return knownHooks(hooks, document).some((member) => placesOf(document, member).length > 0);
}

/** The last of its files that exists: where a client reads several, the last one wins. */
export function fileOf(client: Client, place: UserPlace): string {
  const files = client.files(place);
  return files.findLast((file) => existsSync(file)) ?? files[0];
}

/** How one sees that a client is on this machine: its program, or a folder of its own. */
export function signsOf(client: Client, place: UserPlace) {
  const programs = client.programs.map((name) => findOwnProgram(name, place.env));
  const file = fileOf(client, place);
  // The file of Claude Code is in the home folder itself.
  const sign = dirname(file) === place.home ? file : dirname(file);
  const program = programs.find((found) => found !== undefined);
  return { program, isInstalled: program !== undefined || existsSync(sign) };
}
