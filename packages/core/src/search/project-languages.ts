import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { SkillMetadata } from "../skill/schema.ts";
import { readBeginning } from "./index/skill-files.ts";

/** A language or framework that a skill may be bound to, and how a project shows that it uses it. */
interface Language {
  readonly id: string;
  /** How texts name it. Names that are also English words must be written as names. */
  readonly written: RegExp;
  /** Words of a skill's name that mean it. */
  readonly words: readonly string[];
  /** Words that are also English: they mean it only if the description names it. */
  readonly english?: readonly string[];
  /** Names of files at the root of a project, and a dependency that its manifest lists. */
  readonly files?: RegExp;
  readonly dependency?: RegExp;
}

const PYTHON = /^(?:pyproject\.toml|requirements\.txt|setup\.(?:py|cfg)|Pipfile|uv\.lock)$/;
const DOTNET = /\.(?:csproj|sln|slnx|fsproj)$|^Directory\.Build\.props$/;
const CPP = /^(?:CMakeLists\.txt|conanfile\.(?:txt|py)|vcpkg\.json)$/;

export const LANGUAGES: readonly Language[] = [
  {
    id: "javascript",
    written: /\bjavascript\b|\bnode(?:\.?js)\b|\bJS\b/i,
    words: ["javascript", "js", "nodejs"],
    english: ["node"],
    files: /^(?:package\.json|deno\.jsonc?)$/,
  },
  {
    id: "typescript",
    written: /\btypescript\b|\bTS\b/i,
    words: ["typescript", "ts"],
    files: /^tsconfig(?:\.\w+)?\.json$/,
    dependency: /"typescript"/,
  },
  { id: "react", written: /\bReact\b(?! to\b)/, words: [], english: ["react"], dependency: /"react"/ },
  { id: "next", written: /\bNext\.?js\b/i, words: ["nextjs"], dependency: /"next"/ },
  { id: "vue", written: /\bVue(?:\.js)?\b|\bNuxt\b/i, words: ["vue", "nuxt"], dependency: /"(?:vue|nuxt)"/ },
  {
    id: "angular",
    written: /\bangular\b/i,
    words: ["angular"],
    files: /^angular\.json$/,
    dependency: /"@angular\/core"/,
  },
  { id: "svelte", written: /\bsvelte(?:kit)?\b/i, words: ["svelte", "sveltekit"], dependency: /"svelte"/ },
  { id: "nest", written: /\bNestJS\b/i, words: ["nestjs"], dependency: /"@nestjs\/core"/ },
  { id: "python", written: /\bpython\b|\bpytest\b/i, words: ["python", "py"], files: PYTHON },
  { id: "django", written: /\bdjango\b/i, words: ["django"], dependency: /\bdjango\b/i },
  { id: "flask", written: /\bFlask\b/, words: [], english: ["flask"], dependency: /\bflask\b/i },
  { id: "fastapi", written: /\bfastapi\b/i, words: ["fastapi"], dependency: /\bfastapi\b/i },
  {
    id: "dotnet",
    written: /\bC#|\.NET\b|\bcsharp\b|\bdotnet\b|\bxunit\b|\bnunit\b/i,
    words: ["csharp", "dotnet", "aspnet"],
    files: DOTNET,
  },
  {
    id: "java",
    written: /\bJava\b(?!Script)|\bjunit\b/i,
    words: ["java", "junit"],
    files: /^(?:pom\.xml|build\.gradle)$/,
  },
  {
    id: "kotlin",
    written: /\bkotlin\b/i,
    words: ["kotlin"],
    files: /^build\.gradle\.kts$/,
    dependency: /\bkotlin\b/,
  },
  {
    id: "spring",
    written: /\bSpring ?Boot\b/i,
    words: ["springboot"],
    english: ["spring"],
    dependency: /springframework/,
  },
  {
    id: "go",
    written: /\bGo\b(?![ -]to\b)|\bgolang\b/,
    words: ["golang"],
    english: ["go"],
    files: /^go\.(?:mod|work)$/,
  },
  { id: "rust", written: /\bRust\b|\bcargo\b/, words: ["rust", "rs"], files: /^Cargo\.toml$/ },
  { id: "cpp", written: /\bC\+\+|\bcpp\b/i, words: ["cpp"], files: CPP },
  { id: "ruby", written: /\bruby\b/i, words: ["ruby"], files: /^(?:Gemfile|\w+\.gemspec)$/ },
  { id: "rails", written: /\bRails\b/, words: [], english: ["rails"], dependency: /\brails\b/ },
  { id: "php", written: /\bPHP\b/i, words: ["php"], files: /^composer\.json$/ },
  { id: "laravel", written: /\blaravel\b/i, words: ["laravel"], dependency: /"laravel\/framework"/ },
  {
    id: "swift",
    written: /\bSwift(?:UI)?\b|\biOS\b/,
    words: ["swiftui"],
    english: ["swift", "ios"],
    files: /^Package\.swift$|\.(?:xcodeproj|xcworkspace)$/,
  },
  { id: "dart", written: /\bDart\b|\bflutter\b/i, words: ["dart", "flutter"], files: /^pubspec\.yaml$/ },
  { id: "elixir", written: /\belixir\b/i, words: ["elixir"], files: /^mix\.exs$/ },
  { id: "scala", written: /\bscala\b/i, words: ["scala"], files: /^build\.sbt$/ },
];

/** Files at the root that list dependencies. */
const MANIFESTS =
  /^(?:package\.json|pyproject\.toml|requirements\.txt|Pipfile|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json)$/;
const MAX_ENTRIES = 2_000;
const MAX_BYTES = 64 * 1024;

/** The languages and frameworks of a project, from the names of the files at its root and the dependencies they list. */
export function projectLanguages(root: string): ReadonlySet<string> {
  const names = filesAt(root);
  const manifests = names
    .filter((name) => MANIFESTS.test(name))
    .map((name) => readBeginning(join(root, name), MAX_BYTES)?.text ?? "");
  const used = LANGUAGES.filter(
    ({ files, dependency }) =>
      (files && names.some((name) => files.test(name))) ||
      (dependency && manifests.some((text) => dependency.test(text))),
  );
  return new Set(used.map(({ id }) => id));
}

function filesAt(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .slice(0, MAX_ENTRIES)
      .filter((entry) => entry.isFile() || /\.xc\w+$/.test(entry.name))
      .map(({ name }) => name);
  } catch {
    // No project, or one that must not be read: then nothing is known of it.
    return [];
  }
}

/** How much a skill for the project's languages gains, and one for other languages loses, in the sum of the ranking. */
const STEP = 2;

/**
 * Decides between skills that differ in the language of their name, such as `rust-testing` and `python-testing`. A language that
 * only the description mentions does not count. `undefined` if it decides nothing: the project's languages are not known, or the
 * query names one itself.
 */
export function languagePreference(
  query: string,
  project: ReadonlySet<string>,
): ((skill: SkillMetadata) => number) | undefined {
  if (project.size === 0 || LANGUAGES.some(({ written }) => written.test(query))) return;
  return (skill) => {
    const bound = languagesOf(skill);
    if (bound.length === 0) return 0;
    return bound.some(({ id }) => project.has(id)) ? STEP : -STEP;
  };
}

function languagesOf({ name, description }: SkillMetadata): Language[] {
  const words = new Set(name.toLowerCase().split(/[^a-z0-9]+/));
  return LANGUAGES.filter(
    (language) =>
      language.words.some((word) => words.has(word)) ||
      (language.english?.some((word) => words.has(word)) && language.written.test(description)),
  );
}
