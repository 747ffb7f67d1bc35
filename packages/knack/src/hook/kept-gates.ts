import { hash } from "node:crypto";
import { join } from "node:path";
import type { Config } from "@knack/core";
import { cacheFolder } from "@knack/core/catalog";
import type { ConfigPlace } from "@knack/core/config";
import { readOwn, realBase, writeWhole } from "@knack/core/files";
import { isRecord, parseJson } from "@knack/core/text";
import { bindingOf, ownVariables, placeAt } from "../host/place.ts";
import { version } from "../version.ts";
import { type Gate, gatesMet } from "./gates.ts";
import { type HookCall, ownTool } from "./hook-clients.ts";
import { useOf } from "./tool-use.ts";

/**
 * The gates of a project in a small file, so that a call of a tool which meets none is let through before a configuration is read.
 * They count only while configuration and trust are, byte for byte, those from which they were read.
 */
interface KeptGates {
  readonly binding: string;
  readonly gates: readonly Gate[];
}

const MAX_BYTES = 256 * 1024;

/** Whether a hook has nothing to say to this call, and nothing to note. `false` also where that is not known. */
export function meetsNoGate(call: HookCall): boolean {
  if (call.event !== "tool" || ownTool(call.tool) !== undefined) return false;
  const use = useOf(call);
  if (use.task !== undefined) return false;
  const place = placeAt(call.cwd === "" ? {} : { cwd: call.cwd });
  const kept = readGates(place);
  if (kept?.binding !== bindingOf(place)) return false;
  return gatesMet(use, { config: kept, projectRoot: place.projectRoot }).length === 0;
}

/** `binding` is of before the configuration was read. What allows nothing to be told early is not kept. */
export function keepGates(
  place: ConfigPlace,
  binding: string,
  { gates, hooks }: Pick<Config, "gates" | "hooks">,
): void {
  if (hooks.enforce !== "off" || readGates(place)?.binding === binding) return;
  const { base, file } = fileOf(place);
  const kept: KeptGates = { binding, gates };
  const fault = readOwn(base, file, MAX_BYTES);
  if ("fault" in fault && fault.fault === "NOT_REGULAR") return;
  writeWhole(file, JSON.stringify(kept));
}

function readGates(place: ConfigPlace): KeptGates | undefined {
  const { base, file } = fileOf(place);
  const content = readOwn(base, file, MAX_BYTES);
  const kept = "fault" in content ? undefined : parseJson(content.bytes.toString("utf8"));
  return isRecord(kept) && Array.isArray(kept.gates) ? (kept as unknown as KeptGates) : undefined;
}

function fileOf({ projectRoot, home, env }: ConfigPlace): { readonly base: string; readonly file: string } {
  const base = realBase(cacheFolder(env, home));
  const key = JSON.stringify([version, projectRoot, home, ownVariables(env)]);
  return { base, file: join(base, "gates", `${hash("sha256", key).slice(0, 32)}.json`) };
}
