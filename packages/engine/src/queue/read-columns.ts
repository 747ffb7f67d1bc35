/** Every machine of a team writes these columns, so one with another form must not stop those that read the table. */

/** What a worker needs to run it: kept as `request_json`, without secrets. */
export interface QueuedRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: readonly QueuedInput[];
  /** The key on the machine that asked. */
  readonly key: string;
  /** The implementation and its entry, as that machine has them. */
  readonly digest: string;
  /** Whether the end of the run is the end of its task. */
  readonly isOwnRun: boolean;
}

interface QueuedInput {
  readonly role: string;
  /** As it is recorded. */
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

/** A version of a skill that a worker has, and why it does not run it; `null` if it does. */
export interface Offer {
  readonly skill: string;
  readonly digest: string;
  /** `trust`: its user has not approved it. `policy`: denied. `skills`: not in `--skills`. */
  readonly not: "trust" | "policy" | "skills" | null;
}

/** What stands for a request that Knack did not write: a worker refuses it. */
export const UNREADABLE: QueuedRequest = { params: {}, inputs: [], key: "", digest: "", isOwnRun: false };

export function readRequest(text: string): QueuedRequest {
  const value = parse(text);
  if (!isObject(value)) return UNREADABLE;
  const { params, inputs, key, digest, isOwnRun } = value;
  const isWhole =
    isObject(params) &&
    Array.isArray(inputs) &&
    inputs.every(isInput) &&
    typeof key === "string" &&
    typeof digest === "string" &&
    typeof isOwnRun === "boolean";
  return isWhole ? { params, inputs, key, digest, isOwnRun } : UNREADABLE;
}

export function readTexts(text: string): readonly string[] {
  const value = parse(text);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function readOffers(text: string): readonly Offer[] {
  const value = parse(text);
  return Array.isArray(value) ? value.filter(isOffer) : [];
}

function isOffer(value: unknown): value is Offer {
  return isObject(value) && typeof value.skill === "string" && typeof value.digest === "string";
}

function isInput(value: unknown): value is QueuedInput {
  return (
    isObject(value) &&
    typeof value.role === "string" &&
    typeof value.path === "string" &&
    /^[0-9a-f]{64}$/.test(String(value.sha256)) &&
    Number.isSafeInteger(value.size)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
