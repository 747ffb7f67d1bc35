import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { SkillMetadata } from "../skill/schema.ts";
import { readBeginning } from "./index/skill-files.ts";

/** A language or framework that a skill may be bound to, and how a project shows that it uses it. */
interface Language extends Signs {
  readonly id: string;
  /** How texts name it. Names that are also English words must be written as names. */
  readonly written: RegExp;
  /** Words of a skill's name that mean it. */
  readonly words: readonly string[];
}

interface Signs {
  /** Words that are also English: they mean it only if the description names it. */
  readonly english?: readonly string[];
  /** Names of files at the root of a project, and a dependency that its manifest lists. */
  readonly files?: RegExp;
  readonly dependency?: RegExp;
}

const language = (id: string, written: RegExp, words: readonly string[], signs: Signs): Language => {
  return { id, written, words, ...signs };
};

const JAVASCRIPT = /^(?:package\.json|deno\.jsonc?)$/;
const PYTHON = /^(?:pyproject\.toml|requirements\.txt|setup\.(?:py|cfg)|Pipfile|uv\.lock)$/;
const DOTNET = /\.(?:csproj|sln|slnx|fsproj)$|^Directory\.Build\.props$/;
const SWIFT = /^Package\.swift$|\.(?:xcodeproj|xcworkspace)$/;
const TYPESCRIPT = /^tsconfig(?:\.\w+)?\.json$/;
const CPP = /^(?:CMakeLists\.txt|conanfile\.(?:txt|py)|vcpkg\.json)$/;

export const LANGUAGES: readonly Language[] = [
  language("javascript", /\bjavascript\b|\bnode(?:\.?js)\b|\bJS\b/i, ["javascript", "js", "nodejs"], {
    english: ["node"],
    files: JAVASCRIPT,
  }),
  language("typescript", /\btypescript\b|\bTS\b/i, ["typescript", "ts"], {
    files: TYPESCRIPT,
    dependency: /"typescript"/,
  }),
  language("react", /\bReact\b(?! to\b)/, [], { english: ["react"], dependency: /"react"/ }),
  language("next", /\bNext\.?js\b/i, ["nextjs"], { dependency: /"next"/ }),
  language("vue", /\bVue(?:\.js)?\b|\bNuxt\b/i, ["vue", "nuxt"], { dependency: /"(?:vue|nuxt)"/ }),
  language("angular", /\bangular\b/i, ["angular"], {
    files: /^angular\.json$/,
    dependency: /"@angular\/core"/,
  }),
  language("svelte", /\bsvelte(?:kit)?\b/i, ["svelte", "sveltekit"], { dependency: /"svelte"/ }),
  language("nest", /\bNestJS\b/i, ["nestjs"], { dependency: /"@nestjs\/core"/ }),
  language("python", /\bpython\b|\bpytest\b/i, ["python", "py"], { files: PYTHON }),
  language("django", /\bdjango\b/i, ["django"], { dependency: /\bdjango\b/i }),
  language("flask", /\bFlask\b/, [], { english: ["flask"], dependency: /\bflask\b/i }),
  language("fastapi", /\bfastapi\b/i, ["fastapi"], { dependency: /\bfastapi\b/i }),
  language(
    "dotnet",
    /\bC#|\.NET\b|\bcsharp\b|\bdotnet\b|\bxunit\b|\bnunit\b/i,
    ["csharp", "dotnet", "aspnet"],
    { files: DOTNET },
  ),
  language("java", /\bJava\b(?!Script)|\bjunit\b/i, ["java", "junit"], {
    files: /^(?:pom\.xml|build\.gradle)$/,
  }),
  language("kotlin", /\bkotlin\b/i, ["kotlin"], { files: /^build\.gradle\.kts$/, dependency: /\bkotlin\b/ }),
  language("spring", /\bSpring ?Boot\b/i, ["springboot"], {
    english: ["spring"],
    dependency: /springframework/,
  }),
  language("go", /\bGo\b(?![ -]to\b)|\bgolang\b/, ["golang"], {
    english: ["go"],
    files: /^go\.(?:mod|work)$/,
  }),
  language("rust", /\bRust\b|\bcargo\b/, ["rust", "rs"], { files: /^Cargo\.toml$/ }),
  language("cpp", /\bC\+\+|\bcpp\b/i, ["cpp"], { files: CPP }),
  language("ruby", /\bruby\b/i, ["ruby"], { files: /^(?:Gemfile|\w+\.gemspec)$/ }),
  language("rails", /\bRails\b/, [], { english: ["rails"], dependency: /\brails\b/ }),
  language("php", /\bPHP\b/i, ["php"], { files: /^composer\.json$/ }),
  language("laravel", /\blaravel\b/i, ["laravel"], { dependency: /"laravel\/framework"/ }),
  language("swift", /\bSwift(?:UI)?\b|\biOS\b/, ["swiftui"], { english: ["swift", "ios"], files: SWIFT }),
  language("dart", /\bDart\b|\bflutter\b/i, ["dart", "flutter"], { files: /^pubspec\.yaml$/ }),
  language("elixir", /\belixir\b/i, ["elixir"], { files: /^mix\.exs$/ }),
  language("scala", /\bscala\b/i, ["scala"], { files: /^build\.sbt$/ }),
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
