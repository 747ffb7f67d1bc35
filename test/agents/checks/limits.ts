import { sizedText } from "../echo-server.ts";
import { run } from "../measure.ts";
import type { Script } from "../model/conversation.ts";
import type { Way } from "../way.ts";

const MOST = 400_000;
const STEP = 256;

/** The longest text that a client gives to the model as it is, in characters of one and of three bytes. */
export interface Limit {
  readonly client: string;
  readonly narrow: number;
  readonly wide: number;
}

/** In one conversation with the echo server: the model asks for texts of other sizes until the limit is known. */
export async function findLimit(way: Way): Promise<Limit> {
  const limit = { client: way.client.title, narrow: 0, wide: 0 };
  function* script(): Script {
    for (const kind of ["narrow", "wide"] as const) {
      let [fits, cut] = [0, MOST];
      while (cut - fits > STEP) {
        const size = Math.floor((fits + cut) / 2);
        const wide = kind === "wide";
        const text: string = yield { tool: "skill_text", args: { size, wide } };
        if (text.includes(sizedText(size, wide))) fits = size;
        else cut = size;
      }
      limit[kind] = fits;
    }
    return "Done.";
  }
  await run(way, script(), way.client.args("Read the texts."));
  return limit;
}
