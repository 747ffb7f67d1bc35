import { EmbeddingsError } from "./embeddings-error.ts";

/** No known model has more. */
const MAX_DIMENSION = 8_192;

/** The vectors of an answer, in the order of the texts; throws `EmbeddingsError` unless there is a usable one for each. */
export function readVectors(text: string, count: number): Float32Array[] {
  const rows = rowsOf(text);
  if (rows.length !== count) throw new EmbeddingsError(`answered ${rows.length} vectors for ${count} texts`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const [place, row] of rows.entries()) {
    const { embedding, index = place } = isObject(row) ? row : {};
    if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= count)
      throw new EmbeddingsError("answered vectors with wrong numbers");
    vectors[Number(index)] = vectorOf(embedding);
  }
  const [first] = vectors;
  const complete = vectors.filter((vector) => vector !== undefined);
  if (complete.length < count) throw new EmbeddingsError("answered two vectors for one text");
  if (complete.some((vector) => vector.length !== first?.length))
    throw new EmbeddingsError("answered vectors of different lengths");
  return complete;
}

function rowsOf(text: string): unknown[] {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new EmbeddingsError("answered something that is not JSON");
    throw error;
  }
  const rows = isObject(answer) ? answer.data : undefined;
  if (!Array.isArray(rows)) throw new EmbeddingsError('answered JSON without a list in "data"');
  return rows;
}

function vectorOf(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > MAX_DIMENSION)
    throw new EmbeddingsError("answered something that is not a vector");
  // `null` stands for NaN in JSON, and would become 0 below.
  if (!numbers.every((value) => typeof value === "number"))
    throw new EmbeddingsError("answered a vector with something that is not a number");
  const vector = Float32Array.from(numbers as number[]);
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0)
    throw new EmbeddingsError("answered a vector that has no direction");
  return vector.map((value) => value / length);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
