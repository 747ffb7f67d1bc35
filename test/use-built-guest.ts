import { registerHooks } from "node:module";
import { withBuiltGuest } from "./built-guest.ts";

/** For processes and threads that tests run from source without vitest: they use built guests too. Import it before the engine. */
registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    const source = withBuiltGuest(url, String(loaded.source));
    return source === undefined ? loaded : { ...loaded, source };
  },
});
