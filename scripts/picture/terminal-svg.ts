/** Terminal text with colours → an SVG that follows the reader's light or dark mode. */

const CELL = 8.4;
const LINE = 20;
const PADDING = 20;
const BAR = 36;
/** Characters that are two cells wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

/** An escape code for colour or weight. */
const CODE = /(\x1b\[[\d;]*m)/;

const STYLE = `
    svg { color-scheme: light dark }
    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre }
    .window { fill: #f6f8fa; stroke: #d0d7de }
    .bold { font-weight: 700 }
    .dim { fill: #59636e }
    .prompt { fill: #1a7f37 }
    .command { font-weight: 700; fill: #0550ae }
    .dot { fill: #d0d7de }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .window { fill: #0d1117; stroke: #30363d }
      .dim { fill: #8d96a0 }
      .prompt { fill: #3fb950 }
      .command { fill: #79c0ff }
      .dot { fill: #30363d }
    }
`;

interface Piece {
  readonly text: string;
  readonly style: string;
}

export function terminalSvg(screen: string, { columns, title }: { columns: number; title: string }): string {
  const lines = screen.trimEnd().split("\n");
  const width = Math.ceil(columns * CELL + 2 * PADDING);
  const height = BAR + lines.length * LINE + PADDING;
  const texts = readStyles(lines).flatMap((pieces, row) => drawLine(pieces, BAR + (row + 0.75) * LINE));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `  <title>${escapeXml(title)}</title>`,
    `  <style>${STYLE}  </style>`,
    `  <rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...[0, 1, 2].map((n) => `  <circle class="dot" cx="${20 + n * 18}" cy="18" r="5"/>`),
    ...texts.map((text) => `  ${text}`),
    "</svg>",
    "",
  ].join("\n");
}

/** The text of each line by style; a style lasts until another code ends it, also across lines. */
function readStyles(lines: readonly string[]): Piece[][] {
  let style = "";
  return lines.map((line) => {
    const pieces: Piece[] = [];
    for (const part of line.split(CODE)) {
      const codes = CODE.test(part) ? part.slice(2, -1).split(";") : undefined;
      if (codes === undefined) pieces.push({ text: part, style });
      else if (codes.includes("1")) style = "bold";
      else if (codes.includes("2")) style = "dim";
      else if (codes.some((code) => ["", "0", "22"].includes(code))) style = "";
    }
    return isCommand(pieces) ? markCommand(pieces) : pieces;
  });
}

function isCommand(pieces: readonly Piece[]): boolean {
  return textOf(pieces).startsWith("$ ");
}

function markCommand(pieces: readonly Piece[]): Piece[] {
  return [
    { text: "$ ", style: "prompt" },
    { text: textOf(pieces).slice(2), style: "command" },
  ];
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("");
}

/** Every group of words gets its own position and length, so that columns stay aligned in any font. */
function drawLine(pieces: readonly Piece[], y: number): string[] {
  const texts: string[] = [];
  let cell = 0;
  for (const { text, style } of pieces)
    for (const part of text.split(/( {2,})/)) {
      const cells = cellsOf(part);
      if (part.trim() !== "") {
        const className = style === "" ? "" : ` class="${style}"`;
        const place = `x="${at(PADDING + cell * CELL)}" y="${at(y)}" textLength="${at(cells * CELL)}" lengthAdjust="spacingAndGlyphs"`;
        texts.push(`<text${className} ${place}>${escapeXml(part)}</text>`);
      }
      cell += cells;
    }
  return texts;
}

function cellsOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}

function at(pixels: number): string {
  return String(Math.round(pixels * 10) / 10);
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
