import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawPicture } from "./picture/draw-picture.ts";

/** Draws the picture of the README from what the built program prints. Build first; needs tmux. */

writeFileSync(join(import.meta.dirname, "../docs/picture.svg"), await drawPicture());
