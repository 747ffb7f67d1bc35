import type { Folder } from "../../packages/core/src/testing/files.ts";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { knack, REPO } from "../cli/run.ts";
import { makeTypedProject } from "../cli/typed-skills.ts";

export const ROLES = ["reader", "runner", "approver", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const PLAN = `version: 1
plan: report
title: A report
tasks:
  - id: sign
    title: Sign it off
    requirements:
      - { name: ok, kind: CONFIRMATION, required: true }
      - { name: sources, kind: FILE, required: true, allowed_types: [md] }
`;

/** A project with typed skills, a plan that waits for a person, and a skill whose text is a call. */
export function makeTeamProject(): Folder {
  return makeTypedProject({
    "repo/plan.yaml": PLAN,
    "repo/.knack/config.yaml": "mcp: { tools: all }\n",
    [`${REPO}/good/SKILL.md`]: skillText("good", "Does good."),
    [`${REPO}/caller/SKILL.md`]: skillText(
      "caller",
      "Calls says.",
      "invocation_mode: tool_dispatch\ncommand_tool: says\n",
    ),
  });
}

/** Adds a token with the program and returns it. */
export function addToken(folder: Folder, name: string, role: Role): string {
  const { code, stdout, stderr } = knack(folder, ["token", "add", name, "--role", role], {
    env: { KNACK_TRUST: "all" },
  });
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** A token for each role, named as its role. */
export function addTokens(folder: Folder): Record<Role, string> {
  return Object.fromEntries(ROLES.map((role) => [role, addToken(folder, role, role)])) as Record<
    Role,
    string
  >;
}

export const bearer = (token: string): { readonly Authorization: string } => ({
  Authorization: `Bearer ${token}`,
});

interface Logged {
  readonly event_type: string;
  readonly actor: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The log as `knack audit` has it. */
export function logOf(folder: Folder): Logged[] {
  const { stdout } = knack(folder, ["audit", "--json", "--limit", "1000"], { env: { KNACK_TRUST: "all" } });
  return (JSON.parse(stdout) as { readonly events: Logged[] }).events;
}
