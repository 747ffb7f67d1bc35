/** Colours of the theme as sigma reads them: it knows neither custom properties nor OKLCH. */
function themeColor(host: HTMLElement, name: string): string {
  host.style.color = `var(${name})`;
  const { color } = getComputedStyle(host);
  host.style.color = "";
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  if (!context) return "#888888";
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
}

export interface Colors {
  readonly node: string;
  readonly fault: string;
  readonly dim: string;
  readonly text: string;
  readonly back: string;
  readonly accent: string;
  readonly edges: Readonly<Record<"requires_now" | "requires_later" | "reference_only" | "cycle", string>>;
}

export const readColors = (host: HTMLElement): Colors => ({
  node: themeColor(host, "--edge"),
  fault: themeColor(host, "--failed"),
  dim: themeColor(host, "--line"),
  text: themeColor(host, "--text"),
  back: themeColor(host, "--raised"),
  accent: themeColor(host, "--accent"),
  edges: {
    requires_now: themeColor(host, "--edge-now"),
    requires_later: themeColor(host, "--edge-later"),
    reference_only: themeColor(host, "--edge-mention"),
    cycle: themeColor(host, "--failed"),
  },
});
