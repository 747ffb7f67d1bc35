import { type FileSpec, type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { extensions } from "./extensions.ts";
import { OWN_FOLDERS, ROWS, type Row } from "./folders.ts";
import { type Had, had, type Made } from "./had.ts";
import { plugins } from "./plugins.ts";
import { type MadeSkill, makeSkill, SKILLS } from "./skills.ts";

export interface Home {
  readonly folder: Folder;
  /** All that Knack must list. */
  readonly skills: readonly Had[];
  /** In a client's folder, but without a description: left out, with the reason. */
  readonly leftOut: readonly Had[];
  /** Names of skills of plugins and extensions that are not installed or switched off. */
  readonly off: readonly string[];
}

/**
 * A home and a project with 70 skills in the folders of the table, at least one in each, some of them also as copies and as
 * links. More are in group folders and in plugins that are on, off and gone, have another name than their folder or another skill's. Folders: `home`, `repo` (the project), `repo/packages/app`.
 */
export function makeHome(): Home {
  const folder = makeFolder({
    "repo/.git/HEAD": "ref: refs/heads/main\n",
    "repo/packages/app/": "",
    "home/": "",
  });
  folder.write({ "repo/.git/objects/": "", "repo/.git/refs/": "" });
  const special = [...named(), ...plugins(folder), ...extensions(folder)];
  const ordinary = spread(SKILLS);
  for (const { had, skill } of [...ordinary, ...special]) write(folder, had.path, skill.files);
  const [copied, linked] = ordinary.filter(({ had }) => had.row === OWN_FOLDERS[0]?.path);
  if (!copied || !linked) throw new Error("too few skills in .agents/skills");
  const again = [...copy(folder, copied), ...link(folder, linked.had)];
  const bare = had({ client: "claude", path: "home/.claude/skills" }, "no-description");
  folder.write({ [bare.path]: "---\nname: no-description\n---\n# No description\n" });
  return {
    folder,
    skills: [...ordinary, ...special].map((one) => ({
      ...one.had,
      alsoAt: again.filter(({ of }) => of === one.had.path).map(({ path }) => path),
    })),
    leftOut: [bare],
    off: ["removed-skill", "disabled-skill", "elsewhere-skill", "disabled-extension-skill"],
  };
}

/** In turn, so that every folder has at least one. */
function spread(skills: readonly MadeSkill[]): Made[] {
  const rows = [...OWN_FOLDERS, ...ROWS];
  if (rows.length > skills.length)
    throw new Error(`${skills.length} skills do not fill ${rows.length} folders`);
  return skills.map((skill, i) => ({ skill, had: had(rows[i % rows.length] as Row, skill.name) }));
}

/** Another name than the folder's, a group folder, and one name for two skills. */
function named(): Made[] {
  const claude = { client: "claude", path: "home/.claude/skills" };
  const codex = { client: "codex", path: "home/.codex/skills" };
  const cursor = { client: "cursor", path: "home/.cursor/skills" };
  return [
    { had: had(claude, "right-name", "wrong-folder"), skill: makeSkill("right-name", "rename things") },
    { had: had(codex, "grouped", "team/grouped"), skill: makeSkill("grouped", "sort skills into groups") },
    { had: had(codex, "deploy"), skill: makeSkill("deploy", "deploy with Codex") },
    { had: had(cursor, "deploy"), skill: makeSkill("deploy", "deploy with Cursor") },
  ];
}

/** The same bytes in the folders of two clients. */
function copy(folder: Folder, { had: { path, name }, skill }: Made) {
  return ["home/.claude/skills", "home/.gemini/skills"].map((row) => {
    write(folder, `${row}/${name}/SKILL.md`, skill.files);
    return { of: path, path: `${row}/${name}/SKILL.md` };
  });
}

/** Links to one folder, as `npx skills add` makes them. */
function link(folder: Folder, { path, name }: Had) {
  return ["repo/.claude/skills", "repo/.windsurf/skills"].map((row) => {
    folder.write({ [`${row}/${name}`]: { link: `../../.agents/skills/${name}` } });
    return { of: path, path: `${row}/${name}/SKILL.md` };
  });
}

function write(folder: Folder, path: string, files: Readonly<Record<string, FileSpec>>): void {
  const dir = path.slice(0, -"SKILL.md".length);
  folder.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [dir + name, text])));
}
