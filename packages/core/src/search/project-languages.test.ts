import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../open-catalog.ts";
import { type Folder, makeFolder, skillText } from "../testing/index.ts";
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

  it.each([
    ["go-to-market", "Go-to-market plans. Go to the customers and plan a launch."],
    ["spring-campaign", "Plan a launch in spring: Spring cleaning offers."],
    ["react-to-incident", "React to an incident after a launch, and plan the next."],
    ["node-failover", "Plan a launch that survives when a node of a cluster fails."],
  ])("do not count English words as a language: %s", async (name, description) => {
    using folder = makeFolder();
    const score = async (files: Record<string, string>): Promise<number | undefined> => {
      folder.write({ ...files, "p/.git/HEAD": "" });
      const { results } = (await open(folder)).search("plan the launch");
      return results.find(({ skill }) => skill.name === name)?.score;
    };
    const before = await score({
      [`p/.agents/skills/${name}/SKILL.md`]: skillText(name, description),
      "p/.agents/skills/launch/SKILL.md": skillText("launch", "Bake bread for the launch of a bakery."),
    });
    expect(before).toBeGreaterThan(0);
    expect(await score({ "p/pyproject.toml": "" })).toBe(before);
  });

  it("count English words where the description names the language", async () => {
    using folder = makeFolder();
    folder.write({
      "p/.agents/skills/go-services/SKILL.md": skillText("go-services", "Order services in Go."),
      "p/.agents/skills/services/SKILL.md": skillText("services", "Order services in general."),
      "p/go.mod": "",
      "p/.git/HEAD": "",
    });
    expect(first(await open(folder), "order services")).toBe("go-services");
  });
});
