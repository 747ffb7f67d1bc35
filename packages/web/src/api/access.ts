import { signal } from "@preact/signals";

/**
 * The token of this tab. It comes in the fragment of the link, which browsers send to nobody, and leaves the address bar at
 * once, so that it is in no history, bookmark or screenshot. sessionStorage ends with the tab and makes a reload work.
 */

const KEY = "knack-token";

/** Whether the server takes our token; "unknown" until it has answered. */
export const access = signal<"missing" | "unknown" | "accepted" | "refused">("missing");

let token = "";

export function takeToken(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  token = given ?? sessionStorage.getItem(KEY) ?? "";
  access.value = token === "" ? "missing" : "unknown";
}

/** A token that somebody typed; the page then starts anew. */
export function enterToken(text: string): void {
  sessionStorage.setItem(KEY, text);
  location.reload();
}

export function bearer(): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${token}` };
}

/** The server answered: remember whether it took the token. */
export function noteStatus(status: number): void {
  if (status === 401) {
    sessionStorage.removeItem(KEY);
    access.value = "refused";
  } else access.value = "accepted";
}
