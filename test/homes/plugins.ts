import type { Folder } from "../../packages/core/src/testing/files.ts";
import { had, type Made } from "./had.ts";
import { makeSkill } from "./skills.ts";

const CACHE = "home/.claude/plugins/cache/market";

/**
 * Plugins as Claude Code 2.1, Codex 0.166 and Copilot CLI 1.0 keep them. In Claude Code: one for the user, with more skills
 * that its manifest names; one for this project; one with a single skill at its top; one that is off; one for another project; one that was removed, whose files
 * stay. Returns the skills of those that are on.
 */
export function plugins(folder: Folder): Made[] {
  const installed = (name: string, more: object) => [
    `${name}@market`,
    [{ installPath: folder.at(`${CACHE}/${name}/1.0.0`), version: "1.0.0", ...more }],
  ];
  const here = folder.at("repo");
  folder.write({
    "home/.claude/plugins/installed_plugins.json": JSON.stringify({
      version: 2,
      plugins: Object.fromEntries([
        installed("office", { scope: "user" }),
        installed("team", { scope: "project", projectPath: here }),
        installed("solo", { scope: "user" }),
        installed("disabled", { scope: "user" }),
        installed("elsewhere", { scope: "project", projectPath: folder.at("other") }),
      ]),
    }),
    "home/.claude/plugins/known_marketplaces.json": JSON.stringify({
      market: {
        source: { source: "github", repo: "example/market" },
        installLocation: folder.at("home/.claude/plugins/marketplaces/market"),
        lastUpdated: "2026-11-16T00:00:00.000Z",
      },
    }),
    "home/.claude/plugins/marketplaces/market/.claude-plugin/marketplace.json": JSON.stringify({
      name: "market",
      owner: { name: "Example" },
      plugins: ["office", "team", "solo", "disabled", "elsewhere", "removed"].map((name) => ({
        name,
        source: `./${name}`,
        version: "1.0.0",
      })),
    }),
    "home/.claude/settings.json": JSON.stringify({
      enabledPlugins: { "office@market": true, "solo@market": true, "disabled@market": false },
    }),
    "repo/.claude/settings.json": JSON.stringify({ enabledPlugins: { "team@market": true } }),
    ...manifest(`${CACHE}/office/1.0.0`, "office", { skills: "./more" }),
    ...manifest(`${CACHE}/team/1.0.0`, "team"),
    ...manifest(`${CACHE}/solo/1.0.0`, "solo"),
    ...off("disabled"),
    ...off("elsewhere"),
    ...off("removed"),
  });
  const ofClaude = (plugin: string, at: string, name: string): Made => ({
    had: had({ client: "claude", path: `${CACHE}/${plugin}/1.0.0/${at}` }, name, name, { plugin }),
    skill: makeSkill(name, `use ${name}`),
  });
  return [
    ofClaude("office", "skills", "office-letters"),
    ofClaude("office", "skills", "office-tables"),
    ofClaude("office", "more", "office-charts"),
    ofClaude("team", "skills", "team-rules"),
    // A plugin that is one skill.
    {
      had: had({ client: "claude", path: `${CACHE}/solo` }, "zebra-root", "1.0.0", { plugin: "solo" }),
      skill: makeSkill("zebra-root", "use zebra-root"),
    },
    ...ofOthers(folder),
  ];
}

function ofOthers(folder: Folder): Made[] {
  const codex = "home/.codex/plugins/cache/market/rails/1.0.0";
  const copilot = "home/.copilot/installed-plugins/market/actions";
  folder.write({
    "home/.codex/config.toml": '[plugins."rails@market"]\nenabled = true\n',
    [`${codex}/.codex-plugin/plugin.json`]: JSON.stringify({ name: "rails", version: "1.0.0" }),
    "home/.copilot/settings.json": JSON.stringify({ enabledPlugins: { "actions@market": true } }),
    "home/.copilot/config.json": JSON.stringify({
      installedPlugins: [
        {
          name: "actions",
          marketplace: "market",
          version: "1.0.0",
          installed_at: "2026-11-16T00:00:00Z",
          cache_path: folder.at(copilot),
          enabled: true,
          source: { source: "github", repo: "example/market" },
        },
      ],
    }),
    ...manifest(copilot, "actions"),
  });
  const made = (client: string, path: string, plugin: string, name: string): Made => ({
    had: had({ client, path: `${path}/skills` }, name, name, { plugin }),
    skill: makeSkill(name, `use ${name}`),
  });
  return [
    made("codex", codex, "rails", "rails-upgrade"),
    made("copilot", copilot, "actions", "workflow-debug"),
  ];
}

const manifest = (at: string, name: string, more: object = {}) => ({
  [`${at}/.claude-plugin/plugin.json`]: JSON.stringify({ name, version: "1.0.0", ...more }),
});

/** A plugin whose skill nobody must find. */
function off(name: string): Record<string, string> {
  const skill = `${name}-skill`;
  return {
    ...manifest(`${CACHE}/${name}/1.0.0`, name),
    [`${CACHE}/${name}/1.0.0/skills/${skill}/SKILL.md`]:
      makeSkill(skill, "stay unseen").files["SKILL.md"] ?? "",
  };
}
