import { nearest } from "@knack/core/text";

/** Device names on Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;

/** Why a text cannot be one segment of a path on every operating system, or `undefined`. */
export function segmentProblem(segment: string): string | undefined {
  if (segment === "") return "is empty.";
  if (segment === "." || segment === "..") return `is "${segment}".`;
  if (/[/\\]/.test(segment)) return "contains a path separator.";
  // biome-ignore format: the ranges are what a reader looks for
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(segment)) return "contains a control character.";
  if (!segment.isWellFormed()) return "contains half of a surrogate pair.";
  if (/[:*?"<>|]/.test(segment)) return 'contains one of : * ? " < > |.';
  if (segment.startsWith("~")) return 'begins with "~".';
  if (/[. ]$/.test(segment) || segment.startsWith(" ")) return "begins or ends in a space, or ends in a dot.";
  if (DEVICE.test(segment)) return "is a reserved device name on Windows.";
  return undefined;
}

const PLACEHOLDERS = ["task_id", "input_sha256", "run_id", "key", "name", "skill", "format"] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];
const PLACEHOLDER = /\{([^{}]*)\}/g;

export const ARTIFACTS = "workspace/artifacts/";
const MAX_TEMPLATE = 512;
/** Less than the 255 bytes of common file systems, so that a suffix and a temporary name fit. */
const MAX_SEGMENT_BYTES = 200;
const MAX_PATH_BYTES = 1024;

/** Why a template cannot be used. Asked when the registry is loaded, so that a wrong one never reaches a run. */
export function templateProblem(text: string): string | undefined {
  if (text.length > MAX_TEMPLATE) return `it has more than ${MAX_TEMPLATE} characters.`;
  if (!text.startsWith(ARTIFACTS)) return `it must begin with "${ARTIFACTS}".`;
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  const unknown = names.find((name) => !PLACEHOLDERS.some((known) => known === name));
  // A value is never empty and has no separator, so any word shows whether the literal text is valid.
  const sample = text.replace(PLACEHOLDER, "x");
  if (/[{}]/.test(sample)) return "the braces do not match, or are nested.";
  return unknown === undefined ? pathProblem(sample) : unknownPlaceholder(unknown);
}

type PlacePath = { readonly path: string } | { readonly code: "E_ARTIFACT_PATH"; readonly message: string };

/** The path of an artifact. Values are inserted literally in one pass, so that a brace in a value stays a brace. */
export function fillPathTemplate(template: string, values: Readonly<Record<Placeholder, string>>): PlacePath {
  for (const placeholder of PLACEHOLDERS) {
    const problem = template.includes(`{${placeholder}}`) && segmentProblem(values[placeholder]);
    if (problem) return refuse(`{${placeholder}} ${problem}`);
  }
  const path = template.replace(PLACEHOLDER, (_, name: Placeholder) => values[name]);
  const problem = pathProblem(path);
  return problem ? refuse(problem) : { path };
}

function pathProblem(path: string): string | undefined {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `the path has more than ${MAX_PATH_BYTES} bytes.`;
  for (const segment of path.split("/")) {
    const problem = segmentProblem(segment);
    if (problem) return `a part of the path ${problem}`;
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
      return `a part of the path has more than ${MAX_SEGMENT_BYTES} bytes.`;
  }
  return undefined;
}

function refuse(problem: string): PlacePath {
  return { code: "E_ARTIFACT_PATH", message: `The path of the artifact is not safe: ${problem}` };
}

function unknownPlaceholder(name: string): string {
  const guess = nearest(name, PLACEHOLDERS);
  const hint = guess ? `did you mean {${guess}}?` : `the placeholders are {${PLACEHOLDERS.join("}, {")}}.`;
  return `{${name.slice(0, 40)}} is not a placeholder; ${hint}`;
}
