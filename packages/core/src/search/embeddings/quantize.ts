/** A vector in one byte a number: a quarter of the room, and angles change by about half a degree. */
export function quantize(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  return Int8Array.from(vector, (value) => Math.round((value / (largest || 1)) * 127));
}

/** The cosine of a stored vector and one of length 1. */
export function cosine(stored: Int8Array, query: Float32Array): number {
  let product = 0;
  let square = 0;
  for (let i = 0; i < stored.length; i++) {
    const value = stored[i] as number;
    product += value * (query[i] as number);
    square += value * value;
  }
  return square === 0 ? 0 : product / Math.sqrt(square);
}
