import { Scope } from '@insurance-verification/schema';
import type { Operation, OperationFact } from '@insurance-verification/schema/contract';

const HEAD = ['operation', 'REST', 'scope', 'does'];

/** Every operation as a row of a Markdown table, laid out as the formatter does it. */
export function operationTable(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const { name, method, path, summary } = operation;
    return [`\`${name}\``, `\`${method} ${path}\``, callersOf(operation), summary];
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
