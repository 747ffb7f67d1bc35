import { hash } from "node:crypto";
import * as z from "zod";
import { KnackError } from "../shared/errors.ts";

export interface LoadedSkill {
  readonly name: string;
  readonly path: string;
  /** Of the bytes of the file that was loaded. */
  readonly sha256: string;
  readonly args: string;
  /** Loads the text again, for example after a compaction. */
  readonly ref: string;
}

/** A state that can be saved, and restored in a later process. */
export interface SessionState {
  readonly version: 1;
  readonly loaded: readonly LoadedSkill[];
}

/** Beyond this the oldest is forgotten, and given again on request. */
const MAX_LOADED = 10_000;
const text = z.string();
export const loadedSkillSchema: z.ZodType<LoadedSkill> = z.object({
  name: text,
  path: text,
  sha256: text,
  args: text,
  ref: text,
});
const STATE: z.ZodType<SessionState> = z.object({
  version: z.literal(1),
  loaded: z.array(loadedSkillSchema).max(MAX_LOADED),
});

/** Shared by the processes that serve one conversation. */
export interface SharedLoads {
  read(): readonly LoadedSkill[];
  /** Notes it, and answers whether it was the first to. */
  claim(loaded: LoadedSkill): boolean;
  /** It must be confirmed, and no answer came that is surely a person's. */
  nobodyAllowed(path: string): void;
}

/** The texts that a conversation already has. The same text with the same arguments is given once. */
export class LoadedSkills {
  readonly #byRef = new Map<string, LoadedSkill>();
  /** The digest of each text of which some parts were given. */
  readonly #begun = new Map<string, string>();

  #turn: Promise<unknown> = Promise.resolve();
  #shared: SharedLoads | undefined;

  /** Notes there what was given before, unless that was in another conversation. */
  share(shared: SharedLoads): void {
    const known = new Set(shared.read().map(({ ref }) => ref));
    if (!this.#shared)
      for (const loaded of this.#byRef.values()) if (!known.has(loaded.ref)) shared.claim(loaded);
    this.#shared = shared;
    this.refresh();
  }

  /** Takes over what other processes have given. */
  refresh(): void {
    if (!this.#shared) return;
    this.#byRef.clear();
    for (const loaded of this.#shared.read()) this.#byRef.set(loaded.ref, loaded);
  }

  /** One after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** In loading order; of one skill's versions the last. */
  get list(): readonly LoadedSkill[] {
    const byPath = new Map([...this.#byRef.values()].map((loaded) => [loaded.path, loaded]));
    return [...byPath.values()];
  }

  get(ref: string): LoadedSkill | undefined {
    return this.#byRef.get(ref);
  }

  /** `withAny`: with whatever arguments. */
  find(skill: Unreferenced, withAny = false): { readonly ref: string; readonly isKnown: boolean } {
    const ref = refOf(skill);
    if (this.#byRef.has(ref) || !withAny) return { ref, isKnown: this.#byRef.has(ref) };
    const { path, sha256 } = skill;
    const same = [...this.#byRef.values()].findLast((one) => one.path === path && one.sha256 === sha256);
    return { ref: same?.ref ?? ref, isKnown: same !== undefined };
  }

  /** Before it is given: whether no other process has just given it. */
  claim(skill: Unreferenced): boolean {
    return this.#shared?.claim({ ...skill, ref: refOf(skill) }) ?? true;
  }

  nobodyAllowed(path: string): void {
    this.#shared?.nobodyAllowed(path);
  }

  add(skill: Unreferenced): void {
    const ref = refOf(skill);
    this.#begun.delete(textKey(skill));
    // The newest version comes last, so that the list shows it.
    this.#byRef.delete(ref);
    this.#byRef.set(ref, { ...skill, ref });
    forgetOldest(this.#byRef);
  }

  begin(skill: Unreferenced): void {
    this.#begun.set(textKey(skill), skill.sha256);
    forgetOldest(this.#begun);
  }

  /** Whether earlier parts are of another version of the text. */
  hasChanged(skill: Unreferenced): boolean {
    return (this.#begun.get(textKey(skill)) ?? skill.sha256) !== skill.sha256;
  }

  save(): SessionState {
    return { version: 1, loaded: [...this.#byRef.values()] };
  }

  /** Paths are only looked up in the catalog, so a forged state opens nothing. */
  restore(state: unknown): void {
    const { loaded } = checkState(state);
    this.#byRef.clear();
    this.#begun.clear();
    for (const skill of loaded) this.#byRef.set(skill.ref, skill);
  }
}

type Unreferenced = Omit<LoadedSkill, "ref">;

function textKey({ path, args }: Unreferenced): string {
  return JSON.stringify([path, args]);
}

function forgetOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > MAX_LOADED && oldest !== undefined) map.delete(oldest);
}

/** The same for the same text in every process, so that a reference survives a restart. */
function refOf({ path, sha256, args }: Unreferenced): string {
  return `skl_${hash("sha256", JSON.stringify([path, sha256, args])).slice(0, 16)}`;
}

function checkState(state: unknown): SessionState {
  const { data, error } = STATE.safeParse(state);
  if (data) return data;
  const [first] = error.issues;
  const place = first?.path.join(".") || "it";
  throw new KnackError("INVALID_PARAM", `This is not the state of a session (${place}: ${first?.message}).`);
}
