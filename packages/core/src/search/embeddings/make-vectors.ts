import { EmbeddingsError } from "./embeddings-error.ts";
import type { Embed } from "./endpoint.ts";

export interface Input {
  readonly key: string;
  readonly text: string;
}

export interface Making {
  readonly embed: Embed;
  readonly timeoutMs: number;
  /** Takes the vectors of one batch. */
  readonly take: (inputs: readonly Input[], vectors: readonly Float32Array[]) => Promise<void> | void;
  /** Takes a text that the endpoint refuses although it takes others. */
  readonly refuse: (input: Input) => void;
}

/** Servers on a laptop take a second or two for this many texts. */
const BATCH = 32;
/** One batch is on its way while another is computed. */
const PARALLEL = 2;
/** After so many refused texts in a row, the endpoint is at fault and not the texts. */
const MAX_REFUSED = 4;

/** Embeds texts in batches. Throws `EmbeddingsError` when the endpoint fails; what `take` got until then stays. */
export async function makeVectors(inputs: readonly Input[], making: Making): Promise<void> {
  const queue = Array.from({ length: Math.ceil(inputs.length / BATCH) }, (_, i) =>
    inputs.slice(i * BATCH, (i + 1) * BATCH),
  );
  const refused: Input[] = [];
  let isFailed = false;

  async function embedBatch(batch: readonly Input[]): Promise<void> {
    let vectors: Float32Array[];
    try {
      vectors = await making.embed(
        batch.map(({ text }) => text),
        making.timeoutMs,
      );
    } catch (error) {
      if (!(error instanceof EmbeddingsError) || !error.isRefusal) throw error;
      // One text may be too long for the model: find it, so that the others get their vectors.
      if (batch.length === 1) refused.push(...batch);
      if (refused.length >= MAX_REFUSED) throw error;
      const half = batch.length >> 1;
      if (half > 0) for (const part of [batch.slice(0, half), batch.slice(half)]) await embedBatch(part);
      return;
    }
    await making.take(batch, vectors);
    // The endpoint works, so it was the texts.
    for (const input of refused.splice(0)) making.refuse(input);
  }

  async function work(): Promise<void> {
    for (let batch = queue.shift(); batch && !isFailed; batch = queue.shift()) await embedBatch(batch);
  }

  const workers = Array.from({ length: PARALLEL }, () =>
    work().catch((error: unknown) => {
      isFailed = true;
      throw error;
    }),
  );
  await Promise.all(workers);
  for (const input of refused) making.refuse(input);
}
