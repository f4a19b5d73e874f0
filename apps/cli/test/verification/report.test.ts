import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { iv, naming } from '../iv.ts';

const service = useService();

// Breaks if an operator cannot show whether the payers meet the CORE rule.
test('report response-times tells a month, also one without inquiries', async () => {
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
