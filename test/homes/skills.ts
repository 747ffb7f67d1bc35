import { skillText } from "../../packages/core/src/testing/files.ts";

/** What people have skills for; each is a skill's name and what it is used for. */
const TASKS = `
release-notes: draft release notes from commits
pdf-forms: fill in and flatten PDF forms
sql-review: review SQL migrations for locks
incident-report: write the report after an incident
api-design: design HTTP APIs
changelog-check: check that a change has a changelog entry
docker-images: make container images smaller
flaky-tests: find tests that fail now and then
onboarding-guide: explain a repository to somebody new
log-queries: write queries for logs
terraform-plan: read a Terraform plan and name the risks
spreadsheet-cleanup: clean up spreadsheets
figma-handoff: turn designs into components
accessibility-audit: check pages for accessibility
i18n-strings: extract texts for translation
perf-profile: profile slow code
dependency-upgrade: upgrade dependencies one at a time
security-review: review a change for security
feature-flags: add and remove feature flags
graphql-schema: change a GraphQL schema without breaking clients
kubernetes-debug: debug pods that do not start
data-migration: move data between schemas
email-drafts: draft emails in the voice of the team
meeting-notes: turn transcripts into notes
slide-decks: build slide decks
brand-voice: apply the brand's voice to texts
customer-replies: answer support tickets
invoice-check: compare invoices with orders
contract-summary: summarise contracts
risk-register: keep the register of risks
sprint-report: report on a sprint
roadmap-update: update the roadmap
user-interviews: prepare and sum up interviews
ab-test-readout: read the result of an experiment
metrics-dashboard: build dashboards of metrics
dbt-models: write dbt models with tests
notebook-cleanup: turn notebooks into modules
model-evals: evaluate prompts on labelled data
prompt-library: keep prompts with their versions
git-bisect: find the commit that broke something
commit-messages: write commit messages
branch-cleanup: remove merged branches
pull-request-review: review pull requests
code-owners: find who owns a file
monorepo-packages: add a package to the monorepo
rust-errors: handle errors in Rust
go-tests: write table tests in Go
python-typing: add types to Python
react-components: write React components
css-layout: fix layouts
swift-previews: make previews in SwiftUI
android-release: release the Android app
ios-release: release the iOS app
firmware-flash: flash firmware over the wire
network-trace: read packet captures
backup-restore: restore from a backup
cost-report: explain what the cloud costs
secret-rotation: rotate secrets
license-check: check licenses of dependencies
docs-style: write docs in our style
glossary: keep the glossary
translation-review: review translations
alert-tuning: tune alerts
feature-flags: retire feature flags
data-export: export customer data
archive-cleanup: clean up the archive
`;

export interface MadeSkill {
  readonly name: string;
  /** By path in the skill's folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** One for each folder of the table and a few more, each with another text. */
export const SKILLS: readonly MadeSkill[] = TASKS.trim()
  .split("\n")
  .map((line) => {
    const [name = "", task = ""] = line.split(": ");
    return makeSkill(name, task);
  });

export function makeSkill(name: string, task: string): MadeSkill {
  const description = `How to ${task}. Use when asked to ${task}.`;
  const body = `
## Steps

1. Read what is there before you ${task}.
2. Follow [the checklist](references/checklist.md).
3. Run \`scripts/check.sh\` and show its result.
`;
  return {
    name,
    files: {
      "SKILL.md": skillText(name, description) + body,
      "references/checklist.md": `# Checklist\n\n- [ ] The reason to ${task} is written down.\n`,
      "scripts/check.sh": `#!/bin/sh\necho "${name}: ok"\n`,
    },
  };
}
