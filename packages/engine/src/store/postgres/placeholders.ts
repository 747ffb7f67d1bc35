const converted = new Map<string, string>();

/** Statements differ only in their number of placeholders, so few texts are expected. */
const MAX_KEPT = 1000;

/** `?` → `$1`, `$2`, …, outside of quotes: the form that PostgreSQL takes. */
export function numbered(sql: string): string {
  let text = converted.get(sql);
  if (text === undefined) {
    let count = 0;
    text = sql.replaceAll(/'[^']*'|"[^"]*"|\?/g, (part) => (part === "?" ? `$${++count}` : part));
    if (converted.size >= MAX_KEPT) converted.clear();
    converted.set(sql, text);
  }
  return text;
}
