import { countMonthsAhead } from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { expect, test } from 'vitest';
import { createMonthKeeper } from '../../src/process/create-month-keeper.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { rows } from '../rows.ts';

function aKeeper(directUrl: string) {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const metrics = createMetrics(log);
  const ahead = async () => (await metrics.monthsAhead.get()).values[0]?.value;
  return { keep: createMonthKeeper({ directUrl, metrics, log }), ahead, lines };
}

// Without it the last tables would take all that follows, and no month of it could ever be removed.
test('housekeeping makes the months to come, and tells how many there are', async () => {
  const { connectionString } = await createTestDatabase();
  const { keep, ahead, lines } = aKeeper(connectionString);
  await keep();
  expect(await ahead()).toBe(2);
  expect(lines.join('')).toContain('made the tables of the months to come');
  const made = lines.length;
  await keep();
  expect(lines).toHaveLength(made);
});

// Without it nobody would learn that they are missing until a month cannot be removed. In the last week of a month the
// migration has made the next one.
test('it says when it could not, and others go on', async () => {
  const { connectionString } = await createTestDatabase();
  await rows(connectionString, 'alter table result rename column request_id to gone');
  const { keep, ahead, lines } = aKeeper(connectionString);
  const before = await countMonthsAhead(connectionString);
  expect(before).toBeLessThan(2);
  await keep();
  expect(await ahead()).toBe(before);
  expect(lines.join('')).toContain('could not make the tables of the next month; the next hour tries again');
});
