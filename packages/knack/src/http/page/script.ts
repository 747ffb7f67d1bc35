/**
 * Removes the token from the address so that it is not in the browser's history, keeps it for this tab, and shows what the
 * API returns. Names and descriptions are untrusted: they are inserted as text, never as HTML.
 */
export const SCRIPT = `"use strict";
const KEY = "knack-token";
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, "", location.pathname);
}
const token = sessionStorage.getItem(KEY);
const state = document.getElementById("state");

async function ask(path) {
  const response = await fetch(path, { headers: { Authorization: "Bearer " + token } });
  const answer = await response.json();
  if (response.status === 401) sessionStorage.removeItem(KEY);
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}

async function show() {
  const page = await ask("/api/skills?limit=100");
  const { waiting_for_trust: waiting } = await ask("/api/status");
  const more = page.total > page.skills.length ? " The first " + page.skills.length + ":" : "";
  const trust = waiting > 0 ? " " + waiting + (waiting === 1 ? " more is" : " more are") + ' hidden until you trust this project: run "knack trust" there.' : "";
  state.textContent = page.total + (page.total === 1 ? " skill is" : " skills are") + " served here." + trust + more;
  const items = page.skills.map(({ name, description }) => {
    const item = document.createElement("li");
    const title = document.createElement("b");
    title.textContent = name;
    item.append(title, " " + description);
    return item;
  });
  document.getElementById("skills").replaceChildren(...items);
}

if (token) show().catch((error) => { state.textContent = error.message; });
`;
