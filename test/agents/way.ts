import type { Folder } from "../../packages/core/src/testing/files.ts";
import type { Client } from "./clients/client.ts";
import type { ScriptedModel } from "./model/scripted-model.ts";

/** A client, where it is installed, and a project for it with the home folder beside it. */
export interface Way {
  readonly client: Client;
  readonly installed: string;
  readonly folder: Folder;
  readonly model: ScriptedModel;
}
