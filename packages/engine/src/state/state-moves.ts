import { findState, type TrustPlace, userState } from "@knack/core/internal/engine";
import { moveState } from "../store/place/copy-store.ts";

interface StateMove extends TrustPlace {
  readonly projectRoot: string;
  readonly url: string;
}

/** When a project becomes trusted, its state goes from the user's folder into the project; when that is revoked, back. */
export async function followTrust(question: StateMove, trusted: boolean): ReturnType<typeof moveState> {
  const own = userState(question);
  const stated = findState({ ...question, trusted: true });
  if (!trusted) return stated.storeId === undefined ? "nothing to move" : moveState(stated, own, question);
  // With nothing in the user's folder, `findState` says where the project's own would be.
  if (!own.exists || stated.url !== own.url || stated.foreign) return "nothing to move";
  const file = question.url.replace(/^sqlite:/, "");
  const place = { base: question.projectRoot, isPrivate: true, exists: false, isToRemember: true };
  return moveState(own, { url: `sqlite:${file}`, ...place }, question);
}
