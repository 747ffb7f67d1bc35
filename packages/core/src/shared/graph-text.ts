/**
 * Names and titles in the text of a drawing. They are data and may be hostile: none can end its string or its line, add a node
 * or steer a terminal.
 */

/** For Mermaid, between quotation marks or in a comment. Letters, digits and plain marks stay; all else could be syntax there. */
export function mermaidText(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N} ._/-]/gu, (character) => `#${character.codePointAt(0)};`);
}

/** For Graphviz, with its quotation marks, a line after the other. Entities are read there too, so that `&` is written as one. */
export function dotText(text: string | readonly string[]): string {
  return `"${[text].flat().map(dotLine).join("\\n")}"`;
}

function dotLine(text: string): string {
  return text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("&", "&amp;");
}
