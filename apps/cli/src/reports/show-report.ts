import { FORMULA } from '@insurance-verification/schema';
import papaparse from 'papaparse';
import { type Cell, table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A report as rows under the names of its fields. */
export interface Report {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Said instead of a table without rows. */
  readonly empty: string;
}

/** Shows a report as a table, as CSV (RFC 4180) or, with `--json`, as the service's answer. */
export function showReport(
  terminal: Terminal,
  answer: unknown,
  { columns, rows, empty }: Report,
  csv?: true,
): void {
  const tabled =
    rows.length > 0
      ? table(
          columns.map((name) => name.toUpperCase()),
          rows,
        )
      : [empty];
  terminal.answer(answer, csv ? [csvOf(columns, rows)] : tabled);
}

/** A text that begins like a formula is marked text by an apostrophe, for whoever opens the file in a spreadsheet. */
const csvOf = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  papaparse.unparse([columns, ...rows], { escapeFormulae: FORMULA, newline: '\n' });
