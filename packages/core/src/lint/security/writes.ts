import { anyOf, COMMAND, type Pattern, patternsOf } from "./patterns.ts";

/** Files that decide what an agent may do and what it starts. */
const AGENT_CONFIG = String.raw`(?:(?:~|\$HOME|\$\{HOME\})?/?\.claude/(?:settings(?:\.local)?\.json|hooks\b|CLAUDE\.md|commands\b|agents\b)|~/\.claude\.json|\.claude["']\s*/\s*["'](?:CLAUDE\.md|settings\.json)|claude_desktop_config\.json|~?/?\.cursor/(?:mcp\.json|hooks\.json)|\.cursorrules|\.windsurfrules|~?/?\.codex/(?:config\.toml|AGENTS\.md)|~?/?\.gemini/(?:settings\.json|GEMINI\.md)|\.config/opencode/\S{0,40}\.jsonc?|(?:^|[\s\x60"'/])\.mcp\.json|\.vscode/(?:mcp|settings)\.json)`;
/** Files that a project shares with its agents; writing them is many a skill's work. */
const PROJECT_NOTES = String.raw`(?:CLAUDE\.md|AGENTS\.md|GEMINI\.md|copilot-instructions\.md)`;
const WRITES = `(?:add|append|write|insert|inject|overwrite|modify|edit|update|change|put|patch|install|set|save|copy|create)`;
/** What no one should find in a configuration of theirs. */
const TAKES_POWER =
  /Bash\(\*\)|bypassPermissions|approval_policy\s*=\s*["']never|danger-full-access|["']?autoAccept["']?\s*:\s*true|pre-?approved|(?:never|without|do not|don['’]t) ask(?:ing)?\b|PreToolUse|PostToolUse|SessionStart|always (?:load|trust|run|use) (?:this|its)|trust (?:its|this|the) scripts?|may run (?:any|every|all) commands?|信任(?:其|本)|始终优先|常に(?:この|本)スキル|スクリプトを信頼/i;

/** Files that start with the user's next terminal, login or commit. */
const START_FILE = String.raw`(?:(?:~|\$HOME|\$\{HOME\}|home)["']?/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv|bash_login|config/fish/config\.fish)|\$PROFILE\b)`;
const ORDINARY_LINE =
  /\bexport\b|\bPATH\b|\balias\b|completion|\beval\s+["']?\$\((?!curl|wget)[\w-]+\s|\bsource\s+["']?\$?\S*(?:venv|nvm|completion)|\bset -gx?\b|API_KEY|TOKEN=/i;

/** A line that starts something, or a change that nobody is to notice. */
const STARTS =
  /&\s*[`"'”」]|\b(?:nohup|curl|wget|silently|quietly|without asking|daemon)\b|\.(?:sh|py|js)\b|不用询问|无需|確認は不要/i;

const config = patternsOf(
  "agent-config-write",
  "warning",
  "Changes the configuration of an agent: what it may do, what it reads or what it starts.",
  COMMAND,
);

const persist = patternsOf(
  "persistence",
  "warning",
  "Makes something start on its own later: with the terminal, the login, a schedule or a commit.",
  COMMAND,
);

const PROSE_WRITE = String.raw`\b${WRITES}\b[^\n]{0,140}${AGENT_CONFIG}`;
const COMMAND_WRITE = String.raw`(?:>>?\s*|\btee\s+(?:-a\s+)?|\b(?:mv|cp|install|ln)\s[^\n]{1,160}\s)["']?${AGENT_CONFIG}`;
const CODE_WRITE = String.raw`${AGENT_CONFIG}[^\n]{0,120}(?:write_text|writeFile|\.write\(|json\.dump)|(?:write_text|writeFile(?:Sync)?|open)\([^\n]{0,120}${AGENT_CONFIG}[^\n]{0,40}["'](?:a|w)["']`;
const TAKING_CONFIG = anyOf(
  `${PROSE_WRITE}|${COMMAND_WRITE}|${AGENT_CONFIG}[^\\n]{0,40}[:：]?[^\\n]{0,40}\\b(?:set|add)\\b`,
);

export const WRITE_PATTERNS: readonly Pattern[] = [
  ...config(
    {
      severity: "error",
      and: TAKES_POWER,
      message: "Changes the configuration of an agent so that it acts without asking or trusts this skill.",
      lowered: ["describes", "negates", "consents"],
    },
    TAKING_CONFIG,
  ),
  ...config({ unless: TAKES_POWER }, anyOf(`${COMMAND_WRITE}|${CODE_WRITE}`)),
  ...config(
    {},
    anyOf(
      String.raw`(?:>>\s*|\b(?:echo|cat|printf)\b[^\n]{0,160}>\s*|\btee\s+(?:-a\s+)?)["']?(?:\./)?${PROJECT_NOTES}`,
    ),
  ),
  ...config({ unless: TAKES_POWER, severity: "note" }, new RegExp(PROSE_WRITE, "i")),
  ...config(
    { and: /https?:\/\/|without asking/i },
    anyOf(String.raw`\b(?:overwrite|inject)\b[^\n]{0,80}(?:${AGENT_CONFIG}|${PROJECT_NOTES})[^\n]{0,200}`),
  ),
  ...config(
    {},
    anyOf(
      String.raw`${AGENT_CONFIG}[^。\n]{0,60}(?:写入|添加|新增|追加|修改|追記|書き込|編集|追加)|(?:写入|追加)[^。\n]{0,20}${AGENT_CONFIG}|修改[^。\n]{0,20}${AGENT_CONFIG}[^。\n]{0,60}(?:添加|新增|设)`,
    ),
    /\b(?:path|p|file)\s*=\s*[^\n]{0,80}\.claude["']?\s*\/\s*["']?(?:CLAUDE\.md|settings\.json)/i,
  ),
  ...persist({ unless: ORDINARY_LINE }, anyOf(String.raw`(?:>>?\s*|\btee\s+(?:-a\s+)?)["']?${START_FILE}`)),
  ...persist(
    { and: ORDINARY_LINE, severity: "note" },
    anyOf(String.raw`(?:>>?\s*|\btee\s+(?:-a\s+)?)["']?${START_FILE}`),
  ),
  ...persist(
    { and: STARTS, unless: ORDINARY_LINE },
    anyOf(String.raw`\b(?:append|add|write|insert)\b[^\n]{0,160}${START_FILE}`),
  ),
  ...persist(
    { severity: "note" },
    anyOf(String.raw`\b(?:append|add|write|insert)\b[^\n]{0,160}${START_FILE}`),
  ),
  ...config(
    {},
    /\bclaude\s+config\s+set\b[^\n]{0,60}\b(?:permissions|allow|hooks)|\b(?:codex|gemini)\s+config\s+set\b/i,
    /\b(?:add|append|write|save|insert|put)\b[^.\n]{0,100}\b(?:global|user['’]s|user-level|user-wide|home) (?:global )?(?:CLAUDE|AGENTS|GEMINI)\.md\b/i,
  ),
  ...persist(
    { and: STARTS, unless: ORDINARY_LINE },
    /(?:追加|写入|添加|追記)[^。\n]{0,40}~\/\.(?:bashrc|zshrc|profile|bash_profile)|~\/\.(?:bashrc|zshrc|profile|bash_profile)[^。\n]{0,60}(?:追加|写入|添加|追記)/,
  ),
  ...persist(
    {},
    /\b(?:open|appendFileSync|appendFile|writeFileSync|write_text)\([^\n]{0,60}\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv)["')][^\n]{0,20}["'](?:a|w)|\bappendFile(?:Sync)?\([^\n]{0,60}\.(?:bashrc|zshrc|profile)\b/i,
    /\bcrontab\s+-\s*(?:$|["'`;&|<)])|\|\s*crontab\s+-(?:\s|$)|>>?\s*\/etc\/cron/,
  ),
  ...persist(
    {
      severity: "error",
      unless: /\.pub\b|\bssh\s+\S*@/,
      message: "Lets somebody log in to this machine with a key.",
    },
    />>?\s*["']?(?:~|\$HOME|\$\{HOME\})["']?\/\.ssh\/authorized_keys/,
  ),
  ...persist(
    {},
    /\b(?:cp|mv|install|ln)\s[^\n]{1,160}\s["']?(?:~|\$HOME)\/(?:Library\/LaunchAgents|\.config\/systemd\/user)\b/,
    />>?\s*["']?(?:\.git\/hooks\/|(?:~|\$HOME)\/\.config\/systemd\/user\/|~?\/?Library\/LaunchAgents\/)/,
    /\b(?:write|create|add|install)\b[^.\n]{0,80}~\/Library\/LaunchAgents\/|\bschtasks\s[^\n]{0,60}\/create\b|\breg\s+add\s[^\n]{0,80}CurrentVersion\\Run\b/i,
  ),
];
