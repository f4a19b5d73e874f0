/** A Markdown table: the header row, then the others, each a list of cells. */
export type Table = readonly (readonly string[])[];

/** Only programs write between these markers. */
const regionOf = (name: string) =>
  new RegExp(`(<!-- begin ${name} -->\\n\\n)([\\s\\S]*?)(\\n\\n<!-- end ${name} -->)`);

/** The table in a page's region. @throws Error when the page has no region of that name */
export function readTable(page: string, name: string): Table {
  const text = regionOf(name).exec(page)?.[2];
  if (text === undefined) throw new Error(`The page has no region of this name: ${name}.`);
  const [head = '', , ...rows] = text.split('\n');
  return [head, ...rows].map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}

/** The page with the region's table replaced; padded like the formatter's output, so that neither undoes the other. */
export function writeTable(page: string, name: string, table: Table): string {
  const cells = table.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(3, ...cells.map((row) => (row[column] ?? '').length)),
  );
  const lineOf = (row: readonly string[], fill = ' ') =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  const [head = [], ...rows] = cells;
  const text = [lineOf(head), lineOf([], '-'), ...rows.map((row) => lineOf(row))].join('\n');
  return page.replace(
    regionOf(name),
    (_, begin: string, _old: string, end: string) => `${begin}${text}${end}`,
  );
}
