import { existsSync } from "node:fs";

// A context costs the whole Chromium a window with its buttons: eight times the processor time.
const SHELL = "/usr/bin/chromium-headless-shell";

/** Debian's Chromium, without its windows where that is installed, or the program that KNACK_CHROMIUM names. */
export const CHROMIUM = process.env.KNACK_CHROMIUM ?? (existsSync(SHELL) ? SHELL : "/usr/bin/chromium");

export const ARGUMENTS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
