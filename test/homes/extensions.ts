import type { Folder } from "../../packages/core/src/testing/files.ts";
import { had, type Made } from "./had.ts";
import { makeSkill } from "./skills.ts";

/** Extensions of Gemini CLI 0.61 and Qwen Code 0.24: installed, linked from elsewhere, and off in this folder. */
export function extensions(folder: Folder): Made[] {
  return ["gemini", "qwen"].flatMap((client) => {
    const at = `home/.${client}/extensions`;
    const linked = `home/src/${client}-linked`;
    const manifest = (name: string) => JSON.stringify({ name, version: "1.0.0" });
    folder.write({
      [`${at}/${client}-charts/${client}-extension.json`]: manifest(`${client}-charts`),
      [`${at}/${client}-linked/.${client}-extension-install.json`]: JSON.stringify({
        source: folder.at(linked),
        type: "link",
      }),
      [`${linked}/${client}-extension.json`]: manifest(`${client}-linked`),
      [`${at}/${client}-disabled/${client}-extension.json`]: manifest(`${client}-disabled`),
      [`${at}/${client}-disabled/skills/disabled-extension-skill/SKILL.md`]:
        makeSkill("disabled-extension-skill", "stay unseen").files["SKILL.md"] ?? "",
      [`${at}/extension-enablement.json`]: JSON.stringify({
        [`${client}-disabled`]: { overrides: [`${folder.at("repo")}/*`, `!${folder.path}/*`] },
      }),
    });
    const made = (plugin: string, dir: string): Made => {
      const name = `${plugin}-skill`;
      return {
        had: had({ client, path: `${dir}/skills` }, name, name, { plugin }),
        skill: makeSkill(name, `use ${name}`),
      };
    };
    return [made(`${client}-charts`, `${at}/${client}-charts`), made(`${client}-linked`, linked)];
  });
}
