import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aProcess } from '../process/a-process.ts';

// Broke: a signal while the server was starting, or the second one of two, left it running for ever.
test('the fault suite stops its PostgreSQL however early it is interrupted', async () => {
  const folder = aFolder();
  const main = fileURLToPath(new URL('../../faults/main.ts', import.meta.url));
  const suite = aProcess([process.execPath, '--conditions=@insurance-verification/source', main, '1'], {
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const pid = await until('its server is starting', () => {
    const [file] = globSync('faults-*/postgres/cluster/postmaster.pid', { cwd: folder });
    return file !== undefined && Number(/^-?\d+(?=\n)/.exec(readFileSync(join(folder, file), 'utf8'))?.[0]);
  });
  suite.child.kill('SIGTERM');
  suite.child.kill('SIGINT');
  expect(await suite.ended()).toBe('exit 1');
  expect(() => process.kill(Math.abs(pid), 0)).toThrow('ESRCH');
  expect(readdirSync(folder).filter((name) => name.startsWith('faults-'))).toEqual([]);
});
