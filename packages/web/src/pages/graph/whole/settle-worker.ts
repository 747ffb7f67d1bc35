import { settle, type Unsettled } from "./settle.ts";

/** Arranges the graph beside the page, which stays usable. Ends with an empty message. */
addEventListener("message", ({ data }: MessageEvent<Unsettled>) => {
  let last = 0;
  let newest: Float32Array | undefined;
  for (const places of settle(data)) {
    newest = places;
    if (performance.now() - last < 300) continue;
    last = performance.now();
    postMessage(places);
  }
  if (newest) postMessage(newest);
  postMessage(null);
});
