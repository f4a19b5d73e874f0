import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyRow } from '../apps/api/faults/every-row.ts';
import { createProgram } from '../apps/cli/src/program.ts';
import { codeOf, pages, root, textOf } from './pages.ts';

interface Manifest {
  readonly name: string;
  readonly scripts?: Record<string, string>;
}
const manifests = ['package.json', ...globSync('{apps,packages}/*/package.json', { cwd: root })]
  .filter((path) => existsSync(join(root, path)))
  .map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest);
const scriptsOf = (name: string) =>
  Object.keys(manifests.find((manifest) => manifest.name === name)?.scripts ?? {});

/** Commands of pnpm itself. */
const OF_PNPM = ['add', 'deploy', 'exec', 'install', 'pack', 'sbom'];

/** The scripts that a line of code runs with pnpm and no package defines. */
function lostScripts(code: string): string[] {
  // A JSON list of arguments counts as a line too.
  const line = code.replaceAll(/",? "/g, ' ');
  const runs = line.matchAll(/\bpnpm(?:@[\d.]+)?((?: --[a-z-]+(?: [@/]\S+)?| -[a-zC] \S+)*) ([a-z][\w:-]*)/g);
  return [...runs].flatMap(([, options = '', script = '']) => {
    const name = /--filter (\S+)/.exec(options)?.[1] ?? 'insurance-verification';
    return OF_PNPM.includes(script) || scriptsOf(name).includes(script) ? [] : [`${name}: ${script}`];
  });
}

/** The commands and options of `iv` in a line of code that `iv` does not have. */
function lostCommands(code: string): string[] {
  return [...code.matchAll(/(?:^|[ (])iv((?: [a-z][a-z-]*)+)([^|]*(?:\\\|[^|]*)*)/g)].flatMap(
    ([, words = '', rest = '']) => {
      let command = createProgram();
      const options = command.options.map(({ long }) => long);
      for (const word of words.trim().split(' ')) {
        if (command.commands.length === 0) break; // the rest are arguments
        const inner = command.commands.find((one) => one.name() === word);
        if (inner === undefined) return [`${command.name()} ${word}`];
        command = inner;
        options.push(...command.options.map(({ long }) => long));
      }
      if (command.commands.length > 0) return [];
      const used = rest.match(/--[a-z][a-z-]*/g) ?? [];
      return used.filter((option) => option !== '--help' && !options.includes(option));
    },
  );
}

/** The fault suite's rows that a line of code names and the suite does not have. */
function lostRows(code: string): string[] {
  const numbers = [...code.matchAll(/test:faults((?: \d+)+)|FAULT_EXCLUDE=([\d,]+)/g)].flatMap(
    ([, rows, excluded]) => (rows ?? excluded ?? '').split(/[ ,]+/).filter(Boolean),
  );
  return numbers.filter((number) => !everyRow.some((row) => row.number === Number(number)));
}

const lostOf = (page: string) =>
  codeOf(textOf(page)).flatMap((code) => [...lostScripts(code), ...lostCommands(code), ...lostRows(code)]);

// Proves that the checks can fail.
test.each([
  ['npx -y pnpm@12 strat', ['insurance-verification: strat']],
  ['"args": ["-y", "pnpm@12", "--silent", "--dir", "/path", "iv-mpc"]', ['insurance-verification: iv-mpc']],
  ['pnpm --filter @insurance-verification/cli nothing', ['@insurance-verification/cli: nothing']],
  ['npx -y pnpm@12 --silent iv requests lst', ['requests lst']],
  ['iv keys create --acount acc_1 | jq .', ['--acount']],
])('%s is found out', (code, lost) => {
  expect([...lostScripts(code), ...lostCommands(code)]).toEqual(lost);
});

test('a row that the fault suite lacks is found out', () => {
  expect(lostRows('FAULT_EXCLUDE=16 npx -y pnpm@12 test:faults 3 99')).toEqual(['99']);
});

test.each(
  pages.filter(
    (page) => page.endsWith('README.md') || page.startsWith('apps/docs/') || page.startsWith('.github/'),
  ),
)('every command of %s exists', (page) => {
  expect(lostOf(page)).toEqual([]);
});
