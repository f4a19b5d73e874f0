import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { iv, naming } from '../iv.ts';

const service = useService();

// Breaks if an operator cannot show whether the payers meet the CORE rule.
test('report response-times prints a month, also one without inquiries', async () => {
  const env = naming(service());
  expect(await iv(['report', 'response-times', '--month', '2026-02'], env)).toEqual({
    exitCode: 0,
    stdout: 'No payer was asked over X12 in 2026-02.\n',
    stderr: '',
  });
  const json = await iv(['report', 'response-times', '--month', '2026-02', '--json'], env);
  expect(JSON.parse(json.stdout)).toEqual({ month: '2026-02', items: [] });
  const wrong = await iv(['report', 'response-times', '--month', 'May'], env);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
});

// Breaks if an operator cannot see which payer is asked for codes that it does not answer.
test('report asked-codes prints a month, also one without inquiries', async () => {
  const env = naming(service());
  const { stdout } = await iv(['report', 'asked-codes', '--month', '2026-02'], env);
  expect(stdout).toBe('No payer was asked over X12 in 2026-02.\n');
  const json = await iv(['report', 'asked-codes', '--month', '2026-02', '--json'], env);
  expect(JSON.parse(json.stdout)).toEqual({ month: '2026-02', items: [] });
});

// Breaks if an operator's script cannot read a report.
test('each report is a table, CSV or JSON', async () => {
  const env = naming(service());
  const { stdout: requests } = await iv(['report', 'requests', '--csv'], env);
  const lines = requests.trimEnd().split('\n');
  expect([lines.length, lines[0]]).toEqual([25, 'at,received,completed,not_verified,corrected,met,overdue']);
  expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z(,\d+){6}$/);
  const { stdout: table } = await iv(
    ['report', 'requests', '--step', 'day', '--zone', 'America/Chicago'],
    env,
  );
  expect(table).toMatch(/^AT +RECEIVED +COMPLETED +NOT_VERIFIED +CORRECTED +MET +OVERDUE\n/);
  const { stdout: json } = await iv(['report', 'held', '--json'], env);
  expect(JSON.parse(json)).toMatchObject({ of: 'held', step: 'hour', items: expect.any(Array) });
  for (const [args, heading] of [
    [['times', '--of', 'delivery'], 'count,within_20_s,p50_ms,p90_ms,p99_ms,max_ms\n'],
    [['times', '--steps'], 'at,channel,count,within_20_s,p50_ms,p90_ms,p99_ms,max_ms\n'],
    [['times', '--of', 'payer_answer'], 'payer_id,count,within_20_s,p50_ms,p90_ms,p99_ms,max_ms\n'],
    [['reasons', '--of', 'delivery'], 'reason,fixed_by,count\n'],
    [['queue'], 'payer_id,channel,waiting,leased,oldest_s\n'],
    [['held'], 'at,held,applied,dismissed\n'],
  ] as const) {
    const { exitCode, stdout } = await iv(['report', ...args, '--csv'], env);
    expect([exitCode, stdout.slice(0, heading.length)]).toEqual([0, heading]);
  }
  const wrong = await iv(['report', 'requests', '--zone', 'Nowhere'], env);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
});
