import { type OperationFact, OPERATIONS, Scope } from '@insurance-verification/schema';
import type { Procedure } from '../src/procedure/procedure.ts';

const HEAD = ['operation', 'REST', 'scope', 'does'];

/** Every operation as a row of a Markdown table, laid out as the formatter does it. */
export function operationTable(procedures: readonly Procedure[]): string {
  const rows = procedures.map(({ meta: { operation, openapi } }) => {
    const { method, path } = OPERATIONS[operation];
    return [`\`${operation}\``, `\`${method} ${path}\``, callersOf(OPERATIONS[operation]), openapi.summary];
  });
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...rows].map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[], filling = ' ') =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, filling)).join(' | ')} |`;
  return [lineOf(HEAD), lineOf(['', '', '', ''], '-'), ...rows.map((row) => lineOf(row))].join('\n');
}

function callersOf({ scopes, forPeople }: OperationFact): string {
  if (forPeople && scopes.length === Scope.options.length) return 'people, no key';
  if (scopes.length === Scope.options.length) return 'any';
  return scopes.map((scope) => `\`${scope}\``).join(', ') || 'none';
}
