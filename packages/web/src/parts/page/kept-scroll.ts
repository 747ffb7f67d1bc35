/** Scroll positions by address, for the way back: a page that is opened anew starts at its top. */

const positions = new Map<string, number>();
let returnedTo: string | undefined;

const here = (): string => location.pathname + location.search;

/** Before the router hears of a navigation. */
export function watchReturns(): void {
  addEventListener("popstate", () => {
    returnedTo = here();
  });
}

/** The router shows another address. */
export function noteAddress(): void {
  if (returnedTo !== here()) returnedTo = undefined;
}

export const isReturn = (): boolean => returnedTo === here();

export function keepScroll(name: string, top: number): void {
  positions.set(`${here()}\n${name}`, top);
}

/** Where it was when the user left this address; 0 unless they came back to it. */
export function keptScroll(name: string): number {
  return isReturn() ? (positions.get(`${here()}\n${name}`) ?? 0) : 0;
}
