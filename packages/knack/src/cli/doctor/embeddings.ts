import type { Catalog } from "@knack/core";
import { count } from "../../terminal/count.ts";
import type { Check } from "./check.ts";

/** Whether the embeddings endpoint answers; nothing if none is configured. */
export async function embeddingsCheck(catalog: Catalog): Promise<Check[]> {
  const state = await catalog.checkEmbeddings();
  if (!state) return [];
  const { url, model, answer, done, total } = state;
  const name = "embeddings";
  if ("fault" in answer) {
    const said = answer.said ? `: ${answer.said}` : "";
    return [
      {
        name,
        ok: false,
        message: `${model} at ${url} ${answer.fault}${said}. Until it answers, Knack searches by words only.`,
        hint: "Start the server, and check skills.search.embeddings in your own configuration: url usually ends in /v1.",
      },
    ];
  }
  const vectors = `${count(done)} of ${count(total)} skills have a vector`;
  const message = `${model} at ${url}, ${answer.dimension} numbers in ${answer.ms} ms; ${vectors}`;
  return [{ name, ok: true, message }];
}
