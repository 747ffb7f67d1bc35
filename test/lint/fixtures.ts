import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A labelled skill, written for this repository: before the rules, or (`x-`, `y-`, `z-`) after them to get past them. */
export interface Fixture {
  readonly id: string;
  readonly isHarmful: boolean;
  readonly language: "en" | "zh" | "ja";
  /** The rules that its author had in mind. */
  readonly rules: readonly string[];
  /** Not looked at while rules are written: a third of those from before the rules, by the hash of the id. */
  readonly isHeldOut: boolean;
  readonly files: Readonly<Record<string, string>>;
}

const FOLDER = join(import.meta.dirname, "fixtures");

/**
 * The labelled skills of `fixtures/*.txt`. `%% id rules…` begins a skill, `%+ path` another file of it. Its first lines up to
 * the empty one are frontmatter; the name is the id. `\u{…}` is the character of that number.
 */
export function readFixtures(): Fixture[] {
  return readdirSync(FOLDER)
    .sort()
    .flatMap((name) =>
      readFileSync(join(FOLDER, name), "utf8")
        .split(/^%% /m)
        .slice(1)
        .map((part) => toFixture(part, name.startsWith("harmful"))),
    );
}

function toFixture(part: string, isHarmful: boolean): Fixture {
  const [head = "", ...lines] = part.split("\n");
  const [id = "", ...rules] = head.trim().split(" ");
  const [first = "", ...others] = decode(lines.join("\n")).split(/^%\+ /m);
  const end = first.indexOf("\n\n");
  const files: Record<string, string> = {
    "SKILL.md": `---\nname: ${id}\n${quoted(first.slice(0, end))}\n---\n${first.slice(end + 1)}`,
  };
  for (const other of others) {
    const line = other.indexOf("\n");
    files[other.slice(0, line).trim()] = other.slice(line + 1);
  }
  const isHeldOut = !/^[xyz]-/.test(id) && (createHash("sha256").update(id).digest()[0] ?? 0) % 3 === 0;
  return { id, isHarmful, language: id.split("-")[1] as Fixture["language"], rules, isHeldOut, files };
}

function quoted(frontmatter: string): string {
  return frontmatter.replace(
    /^description: (.*)$/m,
    (_, text: string) => `description: ${JSON.stringify(text)}`,
  );
}

function decode(text: string): string {
  return text.replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}
