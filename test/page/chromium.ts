/** Debian's Chromium, or the program that KNACK_CHROMIUM names. */
export const CHROMIUM = process.env.KNACK_CHROMIUM ?? "/usr/bin/chromium";

export const ARGUMENTS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
