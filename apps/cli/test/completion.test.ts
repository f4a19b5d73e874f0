import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { describe, expect, test } from 'vitest';
import { iv } from './iv.ts';

const folder = aFolder();

async function scriptFor(shell: string): Promise<string> {
  const { exitCode, stdout, stderr } = await iv(['completion', shell]);
  expect([exitCode, stderr]).toEqual([0, '']);
  const path = join(folder, `iv.${shell}`);
  writeFileSync(path, stdout);
  return path;
}

/** What each shell itself offers to complete a line with. */
const ASKS: Record<string, (script: string, line: string) => string[]> = {
  bash: (script, line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    const ask = `source ${script}; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _iv; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return linesOf(execFileSync('bash', ['--norc', '-c', ask], { encoding: 'utf8' }));
  },
  fish: (script, line) =>
    linesOf(
      execFileSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], {
        encoding: 'utf8',
      }),
    ).map((answer) => answer.split('\t')[0] ?? ''),
  zsh: (script, line) => {
    // Without its line editor zsh completes nothing, so the test captures what the functions would offer.
    const words = line.split(' ').map((word) => `'${word}'`);
    const ask = [
      'compdef() { }',
      '_describe() { print -rl -- ${described%%:*} }',
      'compadd() { shift; print -rl -- "$@" }',
      `source ${script}`,
      `words=(${words.join(' ')}); CURRENT=${words.length}; _iv`,
    ].join('\n');
    const typed = line.split(' ').at(-1) ?? '';
    return linesOf(execFileSync('zsh', ['-f', '-c', ask], { encoding: 'utf8' })).filter((word) =>
      word.startsWith(typed),
    );
  },
};

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
const isHere = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

const shells = Object.entries(ASKS).map(
  ([shell, ask]) =>
    [isHere(shell) ? shell : `${shell} (not on this machine: not tried)`, shell, ask] as const,
);

describe.each(shells)('%s', (_name, shell, ask) => {
  // Breaks if Tab offers words that the program does not take, or the shell cannot read the script.
  test.skipIf(!isHere(shell))('completes what is typed', async () => {
    const script = await scriptFor(shell);
    expect(ask(script, 'iv requ')).toEqual(['requests']);
    expect(ask(script, 'iv requests ')).toEqual(expect.arrayContaining(['list', 'get', 'create', 'close']));
    expect(ask(script, 'iv requests list --st')).toEqual(['--state']);
    expect(ask(script, 'iv requests list --state ').toSorted()).toEqual([
      'complete',
      'error_sending_webhook',
      'error_verifying',
      'pending',
    ]);
    expect(ask(script, 'iv requests get req_1 --wi')).toEqual(['--wide']);
    expect(ask(script, 'iv completion f')).toEqual(['fish']);
  });
});

test('another shell ends with 2 and says which there are', async () => {
  const refused = await iv(['completion', 'tcsh']);
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain('Allowed choices are bash, zsh, fish.');
});
