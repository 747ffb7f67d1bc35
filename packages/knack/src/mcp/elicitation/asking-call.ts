import { PausedCall } from "./paused-call.ts";
import type { Progress } from "./progress.ts";

/** A call under way, with the question that it waits for and whoever wants to hear how it goes on. */
export class AskingCall extends PausedCall<unknown> {
  progress: Progress | undefined;
}
