import { hash } from "node:crypto";
import { join } from "node:path";
import { cacheFolder, isAsSeen, type SeenInputs } from "@knack/core/catalog";
import type { ConfigPlace } from "@knack/core/config";
import { loadWhole, lookAtOwn, realBase, saveParts } from "@knack/core/files";
import { bindingOf, ownVariables } from "../host/place.ts";
import { version } from "../version.ts";

/**
 * What this server answered the last time to the first requests of the same client, in the user's cache folder, so that the next
 * start can answer before it has read a skill. It is used only where everything that it was made from is as it was.
 */
export interface FirstAnswers {
  readonly inputs: SeenInputs;
  /** By `requestKey`. */
  readonly results: Readonly<Record<string, object>>;
}

export interface Request {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** A client begins with one of these; the newer revision has its own. */
const OPENINGS = ["initialize", "server/discover"];

/** What a client asks for next: the tools, and the prompts that become its slash commands. */
const LISTS = ["tools/list", "prompts/list"];

export function isOpening({ method }: Request): boolean {
  return OPENINGS.includes(method);
}

export function isFirstRequest(request: Request): boolean {
  return isOpening(request) || (LISTS.includes(request.method) && request.params?.cursor === undefined);
}

/** Tells one request from another, without what is new each time. */
export function requestKey({ method, params = {} }: Request): string {
  const { _meta, ...others } = params;
  const { progressToken, traceparent, tracestate, ...meta } = Object(_meta) as Record<string, unknown>;
  return JSON.stringify([method, others, meta]);
}

export type Place = ConfigPlace & { readonly cwd: string };

/** Whose answers: one file for each project, folder, client and way to start. */
export class FirstAnswersFile {
  readonly #place: () => Place;
  readonly #base: string;
  readonly #file: string;
  #last = "";

  /** `placeNow` says whether the project is trusted now; `tools` is what the command line chose. */
  constructor(placeNow: () => Place, tools: string | undefined, opening: Request) {
    this.#place = placeNow;
    const { projectRoot, cwd, home, env } = placeNow();
    const key = [version, projectRoot, cwd, home, tools, ownVariables(env), requestKey(opening)];
    this.#base = realBase(cacheFolder(env, home));
    this.#file = join(this.#base, "mcp", `${hash("sha256", JSON.stringify(key)).slice(0, 32)}.bin`);
  }

  /** Configuration and trust as they are now. */
  binding(): string {
    return bindingOf(this.#place());
  }

  /** `undefined` where there are none that still hold. */
  read(): FirstAnswers | undefined {
    // A link, or a file of somebody else, was not written by Knack.
    if (lookAtOwn(this.#base, this.#file).kind !== "file") return undefined;
    const kept = loadWhole(this.#file, MAGIC, (content) => {
      this.#last = content.toString("utf8");
      return JSON.parse(this.#last) as FirstAnswers & { readonly binding: string };
    });
    const holds = kept?.binding === this.binding() && isAsSeen(kept.inputs, this.#place());
    return holds ? kept : undefined;
  }

  /** `binding` is of before the answers were made. A folder that cannot be written only makes the next start slower. */
  write(binding: string, answers: FirstAnswers): void {
    const text = JSON.stringify({ binding, ...answers });
    if (text === this.#last || text.length > MAX_BYTES || binding !== this.binding()) return;
    if (lookAtOwn(this.#base, this.#file).kind === "refused") return;
    if (saveParts(this.#file, MAGIC, [Buffer.from(text)]) === undefined) this.#last = text;
  }
}

const MAGIC = "KNACKMA1";
const MAX_BYTES = 4 * 1024 * 1024;
