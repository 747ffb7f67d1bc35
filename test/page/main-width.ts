import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Nothing of the page is cut off at the right: the frame hides what is too wide. */
export async function expectNothingCut(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const main = document.getElementById("main");
    return main ? main.scrollWidth - main.clientWidth : -1;
  });
  expect(wide, "the page is too wide").toBe(0);
}
