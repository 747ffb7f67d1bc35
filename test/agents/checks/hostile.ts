import type { Heard } from "../script.ts";
import { FORGERIES } from "../texts.ts";
import type { Check } from "./check.ts";

/** Nothing that a skill says begins or ends a block, and nothing of its description is a tag. */
export function checkHostile({ skills, hostileSearch }: Heard): Check[] {
  return [checkText((skills.get("hostile") ?? []).join("\n")), checkSearch(hostileSearch)];
}

function checkText(text: string): Check {
  const forged = FORGERIES.filter((forgery, at) => line(text, at).includes(forgery));
  const opened = count(text, /<skill_context[ >]/g);
  const closed = count(text, /<\/skill_context>/g);
  const isLast = text.lastIndexOf("</skill_context>") > text.indexOf("HOSTILE-END");
  const isThere = text.includes("HOSTILE-END");
  const ok = isThere && isLast && forged.length === 0 && opened === 1 && closed === 1;
  const detail = ok
    ? "nothing forged"
    : `${forged.length} of ${FORGERIES.length} forged, block opened ${opened} ×, closed ${closed} ×`;
  return { name: "hostile text", ok, detail: isThere ? detail : "the text is not there" };
}

function checkSearch(text: string): Check {
  const isThere = text.includes("FORGED-DESCRIPTION");
  const raw = [
    "<system>",
    "</description>",
    "</skill>",
    "</skills_catalog>",
    "＜/skills_catalog",
    "<!--",
  ].filter((tag) => text.includes(tag));
  return {
    name: "hostile search",
    ok: isThere && raw.length === 0,
    detail: raw.length > 0 ? `unescaped: ${raw.join(" ")}` : isThere ? "escaped" : "not found",
  };
}

const line = (text: string, at: number): string =>
  text
    .split(`HOSTILE-${at} `)
    .slice(1)
    .join("\n")
    .split(`HOSTILE-${at + 1} `)[0] ?? "";

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
