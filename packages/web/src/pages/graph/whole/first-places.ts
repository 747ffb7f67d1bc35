const TURN = Math.PI * (3 - Math.sqrt(5));

/** Where the skills stand before they are arranged: where they were, or on a spiral, the same each time. */
export function firstPlaces(
  ids: readonly string[],
  known: ReadonlyMap<string, readonly [number, number]>,
): Float32Array {
  const places = new Float32Array(ids.length * 2);
  for (const [at, id] of ids.entries()) {
    const radius = 10 * Math.sqrt(at + 1);
    const [x, y] = known.get(id) ?? [radius * Math.cos(at * TURN), radius * Math.sin(at * TURN)];
    places[at * 2] = x;
    places[at * 2 + 1] = y;
  }
  return places;
}
