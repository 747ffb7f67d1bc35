import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;

/** The folder of the installed package; the same for the sources and the build, which are one folder below it. */
export const packageFolder = (): string =>
  fileURLToPath(new URL("..", import.meta.url)).replace(/[/\\]$/, "");
