import { migrate, startEmbeddedServer } from '@insurance-verification/store';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { expect, onTestFinished, test } from 'vitest';
import { iv, ivJson } from './iv.ts';

// Breaks if an operator cannot see what months the database keeps, or a month that is under way could be removed.
test('partitions list shows the months, and drop refuses what may not go', async () => {
  const dataDir = aFolder();
  const server = await startEmbeddedServer({ dataDir, settings: { fsync: 'off' } });
  onTestFinished(() => server.stop());
  await migrate({ connectionString: server.connectionString });
  const env = { DATABASE_URL: 'postgres://pooler.invalid/x', DATABASE_DIRECT_URL: server.connectionString };
  const { items } = await ivJson<{ items: { month: string; result_count: number }[] }>(
    ['partitions', 'list'],
    env,
  );
  expect(items.map(({ month }) => month)).toEqual([expect.stringMatching(/^\d{4}-\d\d$/), 'later']);
  const shown = await iv(['partitions', 'list'], env);
  expect(shown).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^MONTH +RESULTS +SIZE +AUDIT\n/),
  });

  const month = items[0]?.month ?? '';
  const early = await iv(['partitions', 'drop', month, '--yes'], env);
  expect(early).toMatchObject({ exitCode: 1, stdout: '' });
  expect(early.stderr).toMatch(new RegExp(`^${month} may go from `));
  const unknown = await iv(['partitions', 'drop', '2001-01'], { DATA_DIR: dataDir });
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '' });
  expect(unknown.stderr).toContain(`No tables of 2001-01. There are those of ${month}.`);
  const wrong = await iv(['partitions', 'drop', 'november'], env);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wrong.stderr).toContain('Expected a month as 2026-11; what came is november.');
}, 90_000);
