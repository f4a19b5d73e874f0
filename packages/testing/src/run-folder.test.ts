import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';

const runFolder = new URL('run-folder.ts', import.meta.url).href;

/** A process with a run's folder, which it writes to its stdout before this. */
function aRun(script: string) {
  const program = `
    import { mkdirSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    import { setup } from '${runFolder}';
    setup();
    console.log(tmpdir());
    ${script}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  return { status, folder: stdout.trim(), stderr };
}

// Broke: a run left 406 folders of 1.9 GB, and was green.
test('a run that leaves a temporary folder is red and says which; nothing is left even so', () => {
  const left = aRun(`mkdirSync(tmpdir() + '/a-service/postgres', { recursive: true }); process.exit(0);`);
  expect(left.status).toBe(1);
  expect(left.stderr).toContain('The run left in its temporary folder: a-service, a-service/postgres');
  expect(existsSync(left.folder)).toBe(false);

  // A file whose tests are all skipped leaves its own folder: vitest runs none of its hooks.
  const skipped = aRun(`mkdirSync(tmpdir() + '/skipped.test-x'); process.exit(0);`);
  expect(skipped).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(skipped.folder)).toBe(false);

  const clean = aRun('process.exit(0);');
  expect(clean).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(clean.folder)).toBe(false);
});
