import { type Edge, strength } from "./edge.ts";

/** Keeps the strongest mention of each skill; among equals the first. */
export function keepStrongest(edges: Map<string, Edge>, edge: Edge): void {
  const key = `${edge.fromPath}\n${edge.toPath ?? edge.to}`;
  const known = edges.get(key);
  if (!known || strength(edge) > strength(known)) edges.set(key, edge);
}
