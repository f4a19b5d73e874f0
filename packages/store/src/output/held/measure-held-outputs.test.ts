import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, hold, intake } from '../../../test/ground/stages.ts';
import { applyHeldOutput, dismissHeldOutput, measureHeldOutputs, removeExpired } from '../../index.ts';

const { store, rival, sql } = await openTestStores();
const caller = await anAccount(store);

/** The rows, counted one by one. */
const counted = () =>
  sql(
    `select received_by is not null as is_keyed, reason,
       count(*) filter (where status = 'held') as row_count,
       coalesce(sum(byte_count) filter (where status = 'held'), 0) as byte_count,
       count(*) filter (where status = 'dismissed') as dismissed_row_count,
       coalesce(sum(byte_count) filter (where status = 'dismissed'), 0) as dismissed_byte_count
     from held_output group by 1, 2 having bool_or(status <> 'applied') order by 1, 2`,
  );
const kept = () =>
  sql(`select * from held_count where row_count + dismissed_row_count > 0 order by is_keyed, reason`);

// Without it the capacity rules would rely on counters that drift away from the rows and never recover.
test('the counters are what is held, after every kind of change', async () => {
  const pending = await intake(store, caller);
  const finished = await aFinishedRequest(store, caller);
  const anonymous = { caller: null, client: '192.0.2.1' } as const;
  const ids = await Promise.all(
    ['1', '2', '3', '4', '5', '6'].flatMap((notes, index) => {
      const on = index % 2 ? store : rival;
      return [
        hold(on, anOutput(finished, { notes })),
        hold(on, anOutput(finished, { notes }), { ...anonymous, trusted: false }),
        hold(on, anOutput(pending, { notes, request_id: null }), anonymous),
      ];
    }),
  );
  expect(await kept()).toEqual(await counted());
  await Promise.all([
    applyHeldOutput(store, { caller, heldId: ids[0] ?? '' }),
    dismissHeldOutput(rival, { caller, heldId: ids[1] ?? '' }),
    dismissHeldOutput(store, { caller, heldId: ids[3] ?? '' }),
    applyHeldOutput(rival, { caller, heldId: ids[4] ?? '', requestId: pending.request_id }),
  ]);
  expect(await kept()).toEqual(await counted());
  await sql(`update held_output set received_at = received_at - interval '31 days' where id = any ($1)`, [
    ids.slice(0, 9),
  ]);
  await removeExpired(store);
  expect(await kept()).toEqual(await counted());
  expect(await measureHeldOutputs(store)).toEqual([
    { reason: 'agent_result', rowCount: 0, byteCount: 0 },
    { reason: 'input_mismatch', rowCount: 0, byteCount: 0 },
    { reason: 'superseding', rowCount: 3, byteCount: expect.any(Number) },
    { reason: 'unmatched', rowCount: 3, byteCount: expect.any(Number) },
    { reason: 'untrusted', rowCount: 3, byteCount: expect.any(Number) },
  ]);
  await sql('truncate held_output');
  expect(await kept()).toEqual([]);
});
