import { realpathSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { canonical, isInside, tryOr } from "@knack/core/files";
import { nearest } from "@knack/core/text";
import { segmentProblem } from "./path-template.ts";

type Language = "typescript" | "javascript" | "python";

export type Implementation =
  | { readonly kind: "builtin"; readonly name: string }
  | {
      readonly kind: "file";
      /** Absolute and without links. */
      readonly path: string;
      /** Relative to the project, with `/`. */
      readonly file: string;
      readonly language: Language;
      readonly functionName: string;
    };

const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  [".ts", "typescript"],
  [".mts", "typescript"],
  [".js", "javascript"],
  [".mjs", "javascript"],
  [".cjs", "javascript"],
  [".py", "python"],
]);
/** The order in which extensions are tried for a dotted name. */
const DOTTED = [".ts", ".js", ".mjs", ".py"];
const FUNCTION = /^[A-Za-z_$][\w$]*$/;
const DOTTED_NAME = /^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/;

interface ImplementationOptions {
  readonly projectRoot: string;
  /** The skill's name: a built-in of that name replaces a dotted file that does not exist. */
  readonly name: string;
  readonly builtins: { has(name: string): boolean; keys(): Iterable<string> };
}

export function findImplementation(
  text: string,
  options: ImplementationOptions,
): Implementation | { readonly problem: string } {
  const colon = text.lastIndexOf(":");
  const [place, functionName] = [text.slice(0, colon), text.slice(colon + 1)];
  if (colon < 1 || !FUNCTION.test(functionName))
    return text.startsWith("builtin:") ? builtin(text.slice("builtin:".length), options) : { problem: FORM };
  if (place === "builtin") return builtin(functionName, options);
  if (place.includes("/") || LANGUAGES.has(extname(place)))
    return inProject(place, functionName, options.projectRoot) ?? missing(place);
  if (!DOTTED_NAME.test(place)) return { problem: FORM };
  const path = place.replaceAll(".", "/");
  for (const ending of DOTTED) {
    const found = inProject(path + ending, functionName, options.projectRoot);
    if (found) return found;
  }
  if (options.builtins.has(options.name)) return { kind: "builtin", name: options.name };
  return missing(`${path}{${DOTTED.join(",")}}`);
}

const FORM =
  'it must be "builtin:<name>", a file and a function ("skills/impl/x.ts:run"), or the dotted form ("skills.impl.x:run").';

function builtin(name: string, { builtins }: ImplementationOptions): Implementation | { problem: string } {
  if (builtins.has(name)) return { kind: "builtin", name };
  const known = [...builtins.keys()];
  const guess = nearest(name, known);
  const hint = guess
    ? `did you mean "builtin:${guess}"?`
    : `the built-in skills are ${known.join(", ") || "none"}.`;
  return { problem: `there is no built-in skill "${name.slice(0, 64)}"; ${hint}` };
}

/** `undefined` if the path does not exist. */
function inProject(
  file: string,
  functionName: string,
  projectRoot: string,
): Implementation | { problem: string } | undefined {
  const language = LANGUAGES.get(extname(file));
  if (!language) {
    return {
      problem: `${file} is neither TypeScript, JavaScript nor Python (${[...LANGUAGES.keys()].join(", ")}).`,
    };
  }
  if (file.split("/").some((segment) => segmentProblem(segment)))
    return { problem: `${JSON.stringify(file)} must be a path inside the project, without "..".` };
  if (language === "python" && functionName.includes("$"))
    return { problem: 'the name of a Python function cannot contain a "$".' };
  const root = canonical(projectRoot);
  const path = tryOr(() => realpathSync(join(root, file)), undefined);
  if (path === undefined) return undefined;
  if (!isInside(path, root)) return { problem: `${file} is outside the project (through a link).` };
  if (LANGUAGES.get(extname(path)) !== language)
    return { problem: `${file} is a link to another kind of file.` };
  if (!statSync(path).isFile()) return { problem: `${file} is not a regular file.` };
  return { kind: "file", path, file: relative(root, path).split(sep).join("/"), language, functionName };
}

function missing(file: string): { problem: string } {
  return { problem: `${file} does not exist in the project.` };
}
