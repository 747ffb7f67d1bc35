/** About as many tokens as a model reads, by the rule of the server: four letters each, of Chinese and the like one. */
export function tokensOf(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x2e80) wide++;
  return Math.ceil((text.length - wide) / 4) + wide;
}
