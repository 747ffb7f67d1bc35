import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawPicture } from "./picture/draw-picture.ts";

/** Draws the picture of the README from the output of the built program. Build first; needs tmux. */

writeFileSync(join(import.meta.dirname, "../docs/picture.svg"), await drawPicture());
