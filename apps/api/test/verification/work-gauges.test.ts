import { insertRequests } from '@insurance-verification/store';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readPayers } from '../../src/config/payers.ts';
import { createWorkGauges } from '../../src/verification/work-stats.ts';
import { aTableLock } from '../a-table-lock.ts';
import { aRequestFor } from './a-connection.ts';
import { aLiveAccount } from './a-live-account.ts';

// Broke: of two simultaneous scrapes, the second showed an empty queue: no line at all, so no alert.
test('who scrapes while the queue is measured gets what was measured before', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { store, connectionString, caller } = await aLiveAccount();
  const payers = readPayers({ PAYERS: '["Payer Plan 1","B","C","D"]' });
  const payerId = payers.idOf('Payer Plan 1');
  await insertRequests(store, [{ caller, payerId, input: aRequestFor('W1'), idempotencyKey: null }]);
  const registry = new Registry();
  const setWorkGauges = createWorkGauges(store, payers, registry);
  await setWorkGauges();
  const line = 'ivs_work_waiting{payer="Payer Plan 1",channel="api"} 1';
  expect(await registry.metrics()).toContain(line);

  vi.advanceTimersByTime(11_000);
  const lock = await aTableLock(connectionString, 'request', 'access exclusive');
  const measuring = setWorkGauges();
  await setWorkGauges();
  expect(await registry.metrics()).toContain(line);
  await lock.release();
  await measuring;
  expect(await registry.metrics()).toContain(line);
});
