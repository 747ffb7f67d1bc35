/** A language or framework that a skill may be bound to, and how a project shows that it uses it. */
export interface Language {
  readonly id: string;
  /** How texts name it. Names that are also English words must be written as names. */
  readonly written: RegExp;
  /** Words of a skill's name that mean it. */
  readonly words: readonly string[];
  /** Names of files at the root of a project, and a dependency that its manifest lists. */
  readonly files?: RegExp;
  readonly dependency?: RegExp;
}

const JS = /^(?:package\.json|deno\.jsonc?)$/;
const PYTHON = /^(?:pyproject\.toml|requirements\.txt|setup\.(?:py|cfg)|Pipfile|uv\.lock)$/;

export const LANGUAGES: readonly Language[] = [
  {
    id: "javascript",
    written: /\bjavascript\b|\bnode(?:\.?js)\b|\bJS\b/i,
    words: ["javascript", "js", "node", "nodejs"],
    files: JS,
  },
  {
    id: "typescript",
    written: /\btypescript\b|\bTS\b/i,
    words: ["typescript", "ts"],
    files: /^tsconfig(?:\.\w+)?\.json$/,
    dependency: /"typescript"/,
  },
  { id: "react", written: /\bReact\b/, words: ["react"], dependency: /"react"/ },
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
  { id: "flask", written: /\bFlask\b/, words: ["flask"], dependency: /\bflask\b/i },
  { id: "fastapi", written: /\bfastapi\b/i, words: ["fastapi"], dependency: /\bfastapi\b/i },
  {
    id: "dotnet",
    written: /\bC#|\.NET\b|\bcsharp\b|\bdotnet\b|\bxunit\b|\bnunit\b/i,
    words: ["csharp", "dotnet", "aspnet"],
    files: /\.(?:csproj|sln|slnx|fsproj)$|^Directory\.Build\.props$/,
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
    words: ["spring", "springboot"],
    dependency: /springframework/,
  },
  { id: "go", written: /\bGo\b|\bgolang\b/, words: ["go", "golang"], files: /^go\.(?:mod|work)$/ },
  { id: "rust", written: /\bRust\b|\bcargo\b/, words: ["rust", "rs"], files: /^Cargo\.toml$/ },
  {
    id: "cpp",
    written: /\bC\+\+|\bcpp\b/i,
    words: ["cpp"],
    files: /^(?:CMakeLists\.txt|conanfile\.(?:txt|py)|vcpkg\.json)$/,
  },
  { id: "ruby", written: /\bruby\b/i, words: ["ruby"], files: /^(?:Gemfile|\w+\.gemspec)$/ },
  {
    id: "rails",
    written: /\bRails\b/,
    words: ["rails"],
    dependency: /\brails\b/,
  },
  { id: "php", written: /\bPHP\b/i, words: ["php"], files: /^composer\.json$/ },
  { id: "laravel", written: /\blaravel\b/i, words: ["laravel"], dependency: /"laravel\/framework"/ },
  {
    id: "swift",
    written: /\bSwift(?:UI)?\b/,
    words: ["swift", "swiftui", "ios"],
    files: /^Package\.swift$|\.(?:xcodeproj|xcworkspace)$/,
  },
  { id: "dart", written: /\bDart\b|\bflutter\b/i, words: ["dart", "flutter"], files: /^pubspec\.yaml$/ },
  { id: "elixir", written: /\belixir\b/i, words: ["elixir"], files: /^mix\.exs$/ },
  { id: "scala", written: /\bscala\b/i, words: ["scala"], files: /^build\.sbt$/ },
];

/** Files at the root that list dependencies. */
export const MANIFESTS =
  /^(?:package\.json|pyproject\.toml|requirements\.txt|Pipfile|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json)$/;
