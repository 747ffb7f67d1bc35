import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../open-catalog.ts";
import { type Folder, makeFolder, skillText } from "../../testing/index.ts";
import { projectLanguages } from "./project-languages.ts";

describe("the languages of a project", () => {
  const cases: [files: Record<string, string>, languages: string[]][] = [
    [{}, []],
    [{ "README.md": "We use Python and Rust." }, []],
    [{ "shop.csproj": "" }, ["dotnet"]],
    [{ "go.mod": "module shop" }, ["go"]],
    [{ "Cargo.toml": "" }, ["rust"]],
    [{ "pyproject.toml": '[project]\ndependencies = ["Django>=5"]' }, ["python", "django"]],
    [{ "requirements.txt": "fastapi==1\n" }, ["python", "fastapi"]],
    [
      { "package.json": '{"dependencies":{"react":"19","next":"16"},"devDependencies":{"typescript":"7"}}' },
      ["javascript", "typescript", "react", "next"],
    ],
    [{ "package.json": "not JSON", "tsconfig.json": "{}" }, ["javascript", "typescript"]],
    [{ "pom.xml": "<groupId>org.springframework.boot</groupId>" }, ["java", "spring"]],
    [{ "src/app.py": "" }, []],
  ];
  it.each(cases)("%o", (files, languages) => {
    using folder = makeFolder();
    folder.write({ "a/x": "", ...Object.fromEntries(Object.entries(files).map(([k, v]) => [`p/${k}`, v])) });
    expect([...projectLanguages(folder.at("p"))]).toEqual(languages);
  });

  it("are none if there is no folder", () => {
    expect(projectLanguages("/nowhere/at/all").size).toBe(0);
  });
});

describe("skills that differ in their language", () => {
  const open = (folder: Folder): Promise<Catalog> =>
    openCatalog({ cwd: folder.at("p"), home: folder.at("home"), env: {}, cache: false });
  const skills = Object.fromEntries(
    (["python", "rust", "typescript", "go"] as const).map((language) => [
      `p/.agents/skills/${language}-testing/SKILL.md`,
      skillText(`${language}-testing`, `Write unit tests for services in ${language}.`),
    ]),
  );
  const first = (catalog: Catalog, query: string): string | undefined =>
    catalog.search(query).results[0]?.skill.name;

  it.each([
    ["Cargo.toml", "rust-testing"],
    ["go.mod", "go-testing"],
    ["pyproject.toml", "python-testing"],
    ["tsconfig.json", "typescript-testing"],
  ])("are decided by the project: %s", async (file, name) => {
    using folder = makeFolder();
    folder.write({ ...skills, [`p/${file}`]: "", "p/.git/HEAD": "" });
    expect(first(await open(folder), "build me tests for an order service")).toBe(name);
  });

  it("are decided by the request if it names a language", async () => {
    using folder = makeFolder();
    folder.write({ ...skills, "p/Cargo.toml": "", "p/.git/HEAD": "" });
    expect(first(await open(folder), "build me tests for an order service in Python")).toBe("python-testing");
  });
});
