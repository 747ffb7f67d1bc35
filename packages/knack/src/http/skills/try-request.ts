import { type Catalog, KnackError, type SearchOptions, type Session, type SkillMetadata } from "@knack/core";
import { isRefusal, loadRouting, newRequestId, type Role, routeToSkill } from "@knack/core/session";
import { estimateTokens } from "@knack/core/text";
import { questionText } from "../../mcp/page-questions.ts";
import { MAX_TEXT_BYTES, textBlock } from "../../mcp/tools.ts";
import type { Api } from "../api/route.ts";
import { httpError } from "../error-response.ts";

/** How long to wait for the search index: names and descriptions alone could lead to another skill. */
const INDEX_MS = 30_000;

/** A search, and what the request would lead to: nothing is recorded, and nothing counts as loaded. */
export async function tryRequest(
  request: string,
  wanted: string | undefined,
  options: Omit<SearchOptions, "accepts">,
  { host, catalog }: Pick<Api, "host" | "catalog">,
) {
  const current = await catalog();
  if (!(await current.isSearchable(INDEX_MS)))
    throw httpError(503, "CONFLICT", "The search index is still being made; try again later.");
  const questions: string[] = [];
  const session = host.runtime.session({ observe: async () => undefined });
  const visible = new Set((await session.visibleTo("model")).map(({ path }) => path));
  const found = await current.searchAsync(request, { ...options, accepts: ({ path }) => visible.has(path) });
  const routing = loadRouting(current, host.engine.isTrusted);
  const { answer: route, skill: routed } = routeToSkill(request, { catalog: current, routing });
  const best = found.results.find(({ fits }) => fits);
  const asked =
    wanted === undefined ? undefined : current.resolveEntry(wanted, { includeInactive: true }).skill;
  const skill = asked ?? routed ?? best?.skill;
  const call = async (tool: string, params: Readonly<Record<string, unknown>>) => {
    const { text: answer, status } = await session.call(tool, params, {
      maxTextBytes: MAX_TEXT_BYTES,
      readsOnly: true,
      // A person would be asked here; the page shows the question, and what comes after a yes.
      confirm: async (question) => {
        questions.push(questionText(question, params));
        return "yes";
      },
    });
    const text = textBlock(answer);
    return { tool, params, status, text, tokens: estimateTokens(text) };
  };
  const searched = await call("skill_search", { query: request });
  const loaded = skill ? [await call("skill_load", { name: nameFor(skill, current) })] : [];
  const trial = {
    route,
    skill: skill ? { id: skill.id, name: skill.name, path: skill.path } : null,
    dispatch: skill ? await frameFor(session, skill, route.role, request) : null,
    answers: [searched, ...loaded],
    questions,
  };
  return { ...found, trial };
}

/** A name that several skills have is no use to a model: it loads by the path. */
function nameFor({ name, path }: SkillMetadata, catalog: Catalog): string {
  return catalog.skills.filter((one) => one.name === name).length > 1 ? path : name;
}

/** The frame that `knack dispatch` would give to a runner, or why there is none. */
async function frameFor(session: Session, skill: SkillMetadata, role: Role, prompt: string) {
  try {
    const requestId = newRequestId(new Date());
    const outcome = await session.dispatch(
      { role, skill: { path: skill.path }, prompt, requestId },
      { actor: "person" },
    );
    if (isRefusal(outcome)) return { frame: null, files: [], refusal: `${outcome.code}: ${outcome.message}` };
    return { frame: outcome.frame, files: outcome.files, refusal: null };
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    return { frame: null, files: [], refusal: error.message };
  }
}
