import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { aFolder } from './a-folder.ts';
import { inherited } from './inherited.ts';
import { RUN_FOLDER_PREFIX } from './run-folder.ts';
import { until } from './until.ts';

const source = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const runsIn = (folder: string) => globSync(`${RUN_FOLDER_PREFIX}*`, { cwd: folder });

/** vitest, with the folders of a run and of a file, on one test file. */
function aVitest(testFile: string) {
  const root = aFolder();
  const config = {
    globals: true,
    globalSetup: [source('run-folder.ts')],
    setupFiles: [source('file-folder.ts')],
  };
  writeFileSync(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify({ test: config })};`);
  writeFileSync(join(root, 'some.test.ts'), testFile);
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
  const child = spawn(process.execPath, [vitest, 'run', '--root', root], {
    env: { ...inherited(), TMPDIR: root },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of its own, for a signal to all of it
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout.resume();
  return { root, child, stderr: text(child.stderr), whenEnded: once(child, 'close') };
}

// Broke: a run left 406 folders of 1.9 GB, and was green.
test('a run that leaves a temporary folder is red and says which; nothing is left even so', async () => {
  const { root, whenEnded, stderr } = aVitest(`
    import { mkdirSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    import { dirname } from 'node:path';
    test('leaves', () => void mkdirSync(dirname(tmpdir()) + '/a-service/postgres', { recursive: true }));`);
  expect(await whenEnded).toEqual([1, null]);
  expect(await stderr).toContain('The run left in its temporary folder: a-service, a-service/postgres\n');
  expect(runsIn(root)).toEqual([]);
});

// Broke: its folder was never removed, since a file without a test to run has no closing hook, and the run was red.
test('a file whose tests are all skipped leaves no folder', async () => {
  const { whenEnded, stderr } = aVitest(`test.skip('is not run', () => {});`);
  expect(await whenEnded).toEqual([0, null]);
  expect(await stderr).toBe('');
});

// Broke: its forks still wrote while it removed their folders, and a database stayed in memory.
test.each([
  ['SIGHUP', 129, 'all its processes, as a terminal does'],
  ['SIGINT', 130, 'all its processes, as a terminal does'],
  ['SIGINT', 130, 'the first'],
  ['SIGTERM', 143, 'the first'],
] as const)(
  '%s ends a run with status %i after its closing hooks: sent to %s',
  async (signal, exitCode, whom) => {
    const { root, child, whenEnded, stderr } = aVitest(`
    import { writeFileSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    const here = import.meta.dirname;
    afterAll(() => writeFileSync(here + '/closed', ''));
    test('hangs', async ({ signal }) => {
      writeFileSync(tmpdir() + '/left', '');
      writeFileSync(here + '/hangs', '');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    test('is not begun', () => writeFileSync(here + '/begun', ''));`);
    await until('the test hangs', () => existsSync(join(root, 'hangs')));
    const pid = child.pid ?? Number.NaN;
    process.kill(whom === 'the first' ? pid : -pid, signal);
    expect(await whenEnded).toEqual([exitCode, null]);
    expect(await stderr).not.toContain('left in its temporary folder');
    expect(['closed', 'begun'].filter((name) => existsSync(join(root, name)))).toEqual(['closed']);
    expect(runsIn(root)).toEqual([]);
  },
);
