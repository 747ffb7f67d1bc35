import { describe, expect, it } from "vitest";
import { type OpenCatalogOptions, openCatalog } from "../packages/core/src/index.ts";
import { type FileSpec, type Folder, makeFolder, skillText } from "../packages/core/src/testing/files.ts";

/** What the test suites of other skill programs ask of theirs, as files, a call and what comes of it. */
type Files = Readonly<Record<string, FileSpec>>;

/** A client's folder is read leniently. */
const CLIENT = "home/.claude/skills";
const open = (folder: Folder, more: OpenCatalogOptions = {}) =>
  openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false, ...more });

describe("004 §5.5: a sentence that calls a skill by its name finds it first", () => {
  const skills = {
    presentations: "Edits PPTX files.",
    "slides-helper": "Create a deck of slides for a presentation. Use to create decks.",
    image: "Draws.",
    "code-review": "Reads diffs.",
    "release-notes": "Writes what changed.",
    "tool_box:pdf_fill": "Completes forms.",
    test: "Runs what checks the code.",
  };
  const files: Files = Object.fromEntries(
    Object.entries(skills).map(([name, what], i) => [
      `${CLIENT}/s${i}/SKILL.md`,
      skillText(`"${name}"`, what),
    ]),
  );

  it.each([
    ["Use presentations to create a deck", "presentations"],
    ["Please use presentations for the deck of slides", "presentations"],
    ["Create a deck of slides. Use presentations.", "presentations"],
    ["Use code-review to create a deck of slides", "code-review"],
    ["Use code review to create a deck of slides", "code-review"],
    ["create a deck of slides with code-review and send it", "code-review"],
    ["could you run the code-review skill over this deck of slides?", "code-review"],
    ["run the image skill on the deck of slides", "image"],
    ["create a deck of slides, $image", "image"],
    ["/code-review the deck of slides", "code-review"],
    ["use `code-review` on the deck of slides", "code-review"],
    ["使用code-review技能 deck slides", "code-review"],
    ["Use tool_box:pdf_fill to create a deck of slides", "tool_box:pdf_fill"],
  ])("%j: %s", async (request, name) => {
    using folder = makeFolder({ ...files, "repo/": "" });
    const [first] = (await open(folder)).search(request).results;
    expect(first).toMatchObject({ skill: { name }, reason: "exact_name", fits: true });
  });

  it.each([
    "test the deck of slides before you create it", // an ordinary word
    "Use image compression to create a deck of slides",
    "create a deck of slides with a test",
    "don't use code-review, create a deck of slides",
    "create a deck of slides without code-review",
    "create a deck of slides from src/code-review/image.md",
    "create a deck of slides for US$image",
    "The code-review skill is slow. Create a deck of slides",
  ])("%j calls none by its name", async (request) => {
    using folder = makeFolder({ ...files, "repo/": "" });
    const { results } = (await open(folder)).search(request);
    expect(results.map(({ reason }) => reason)).not.toContain("exact_name");
  });

  it("only where the model may have it", async () => {
    using folder = makeFolder({ ...files, "repo/": "" });
    const accepts = ({ name }: { name: string }): boolean => name !== "code-review";
    const { results } = (await open(folder)).search("Use code-review to create a deck", { accepts });
    expect(results[0]?.skill.name).toBe("slides-helper");
  });
});
