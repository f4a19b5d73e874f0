import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The repository's files, including those not committed yet, without those that git ignores. */
export const repositoryFiles = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)));

export const pages = repositoryFiles.filter((file) => file.endsWith('.md'));

/** A page's code: the lines of its fences, continued ones joined, and its inline spans. */
export function codeOf(text: string): string[] {
  const fences = [...text.matchAll(/^ *(`{3,})\S*\n([\s\S]*?)^ *\1$/gm)].map(([, , inner = '']) => inner);
  const prose = text.replaceAll(/^ *(`{3,})[\s\S]*?^ *\1$/gm, '');
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replaceAll(/\s+/g, ' '));
  return [...fences.flatMap((inner) => inner.replaceAll('\\\n', ' ').split('\n')), ...spans];
}

/** The cells of table rows whose first cell is one code span or a number. */
export function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => /^\| (`[^`]+`|\d+) +\|/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));
}
