import { useEffect, useState } from "preact/hooks";
import type { Outline } from "../edge-kinds.tsx";
import { firstPlaces } from "./first-places.ts";
import workerUrl from "./settle-worker.ts?worker&url";

/** The skills that have edges, each with its place in the outline. */
export interface Drawable {
  readonly ids: readonly string[];
  readonly edges: readonly Outline["edges"][number][];
  /** Pairs of places among `ids`. */
  readonly pairs: Uint32Array;
}

/** Where skills stood last, so that coming back, or a change of one skill, moves little. */
const known = new Map<string, readonly [number, number]>();
const FIRST_MS = 4_000;
const AGAIN_MS = 600;

// Trusted Types take no plain text as the address of a script.
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("knack-worker", {
  createScriptURL: () => workerUrl,
});

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { createScriptURL(text: string): unknown };
}

export function drawableOf({ nodes, edges, missing }: Outline): Drawable {
  const used = new Set([...edges.flatMap(({ from, to }) => [from, to]), ...missing.map(({ from }) => from)]);
  const places = [...used].sort((a, b) => a - b);
  const at = new Map(places.map((place, index) => [place, index]));
  return {
    ids: places.map((place) => nodes[place]?.id ?? ""),
    edges,
    pairs: new Uint32Array(edges.flatMap(({ from, to }) => [at.get(from) ?? 0, at.get(to) ?? 0])),
  };
}

/** Calls back with new positions while a worker arranges the graph; says whether it still does. */
export function useSettled(drawable: Drawable, onPlaces: (places: Float32Array) => void): boolean {
  const [isSettling, setSettling] = useState(true);
  useEffect(() => {
    const { ids, pairs } = drawable;
    const places = firstPlaces(ids, known);
    onPlaces(places);
    const isKnown = ids.filter((id) => known.has(id)).length > ids.length * 0.9;
    const url = (policy?.createScriptURL("") ?? workerUrl) as string;
    const worker = new Worker(url, { type: "module" });
    setSettling(true);
    worker.addEventListener("message", ({ data }: MessageEvent<Float32Array | null>) => {
      if (data === null) {
        setSettling(false);
        worker.terminate();
        return;
      }
      for (const [at, id] of ids.entries()) known.set(id, [data[at * 2] ?? 0, data[at * 2 + 1] ?? 0]);
      onPlaces(data);
    });
    worker.postMessage({ places, edges: pairs, ms: isKnown ? AGAIN_MS : FIRST_MS });
    return () => worker.terminate();
  }, [drawable]);
  return isSettling;
}
