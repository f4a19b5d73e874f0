import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// Broke: it ended in a stack.
test.each(['nonsense', '--help', 'HEAD:README.md'])(
  'an upgrade from %s, which is no commit, ends in one sentence',
  (commit) => {
    const main = fileURLToPath(new URL('../../faults/upgrade/main.ts', import.meta.url));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=@insurance-verification/source', main, commit],
      { encoding: 'utf8' },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: `No commit of this clone is named ${commit}. Right, for example: pnpm test:upgrade HEAD~20\n`,
      stderr: '',
    });
  },
);
