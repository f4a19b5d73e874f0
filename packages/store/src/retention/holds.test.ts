import { expect, test } from 'vitest';
import { aged } from '../../test/ground/an-aged-request.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aPrivacyPerson, erase } from '../../test/ground/some-people.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimFor,
  finish,
  intake,
} from '../../test/ground/stages.ts';
import {
  askErasure,
  type Caller,
  confirmErasure,
  endHold,
  eraseDue,
  getAccountRetention,
  listHolds,
  measureErasure,
  placeHold,
  removeExpired,
  viewRequest,
} from '../index.ts';
import type { AlteredRow } from '../row-macs/row-macs.ts';
import { withClient } from '../testing/create-test-database.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const reported: AlteredRow[] = [];
const watched = await stores.open({ onAlteredRow: (row) => reported.push(row) });
const person = await aPrivacyPerson(store);
const REASON = 'Doe against Clinic, asked by counsel';

const place = async (covers: { requestId: string } | { accountId: string }) => {
  const placed = await placeHold(store, { caller: person, covers, reason: REASON });
  if (placed.kind !== 'placed') throw new Error(`It was not placed: ${placed.kind}.`);
  return placed.hold;
};
const end = (holdId: string) => endHold(store, { caller: person, holdId });
const isErased = async (id: string) =>
  (await sql('select from request where id = $1 and erased_at is not null', [id])).length === 1;

/** Delivered 40 days ago, of an account that keeps data for 30. */
async function aDue(caller: Caller): Promise<string> {
  await sql('update account set retention_days = 30 where id = $1', [caller.accountId]);
  const { request_id: id } = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, id));
  return aged(stores, id, 40);
}

// Without it what a court asked to keep would be destroyed by the calendar.
test('a hold on a request keeps it from the retention, which takes the others, and it within a day of its end', async () => {
  const caller = await anAccount(store);
  const [kept, other] = [await aDue(caller), await aDue(caller)];
  const { hold_id: holdId } = await place({ requestId: kept });
  const would = async () => {
    const found = await getAccountRetention(store, { caller, accountId: caller.accountId });
    return found.kind === 'found' ? found.retention.would_erase : null;
  };
  expect(await would()).toBe(1);
  expect(await eraseDue(store, { limit: 10 })).toMatchObject({ kind: 'erased', count: 1 });
  expect([await isErased(kept), await isErased(other)]).toEqual([false, true]);
  expect(await eraseDue(store, { limit: 10 })).toEqual({ kind: 'done' });
  expect(await measureErasure(store)).toBe(0);
  await end(holdId);
  await sql(`update erasure_later set since = since - interval '1 day' where request_id = $1`, [kept]);
  expect(await eraseDue(store, { limit: 10 })).toMatchObject({ kind: 'erased', count: 1 });
  expect(await isErased(kept)).toBe(true);
});

test('a hold on an account keeps all of it, and its end lets the retention continue', async () => {
  const caller = await anAccount(store);
  const id = await aDue(caller);
  const { hold_id: holdId, placed_at: placedAt } = await place({ accountId: caller.accountId });
  expect(await eraseDue(store, { limit: 10 })).toEqual({ kind: 'done' });
  const found = await getAccountRetention(store, { caller, accountId: caller.accountId });
  expect(found).toMatchObject({
    retention: { would_erase: 0, holds: [{ hold_id: holdId, covers: 'account', placed_at: placedAt }] },
  });
  await end(holdId);
  expect(await eraseDue(store, { limit: 10 })).toMatchObject({ count: 1 });
  expect(await isErased(id)).toBe(true);
});

test.each(['request', 'account'] as const)(
  'a hold on the %s refuses an erasure, by name, also one that was asked for before',
  async (covers) => {
    const caller = await anAccount(store);
    const { request_id: id } = await intake(store, caller);
    const asking = { caller: aPlatformCaller(), requestId: id, reason: 'wrong_patient' as const };
    const asked = await askErasure(store, asking);
    if (asked.kind !== 'asked') throw new Error('It was not asked for.');
    const { hold_id: holdId } = await place(
      covers === 'request' ? { requestId: id } : { accountId: caller.accountId },
    );
    const { erasure_id: erasureId } = asked.erasure;
    const confirming = { caller: person, erasureId, memberIdEnding: '6789', backupDays: null };
    expect(await confirmErasure(store, confirming)).toEqual({ kind: 'held', holdId });
    const { request_id: other } = await intake(store, caller);
    if (covers === 'account')
      expect(await askErasure(store, { ...asking, requestId: other })).toEqual({ kind: 'held', holdId });
    const viewed = await viewRequest(store, { caller, requestId: id, routes: [], makesRequests: true });
    expect(viewed).toMatchObject({ view: { holds: [{ hold_id: holdId, covers }], erased_because: null } });
    await end(holdId);
    expect(await confirmErasure(store, confirming)).toMatchObject({ kind: 'confirmed' });
  },
);

// Without it an erasure that began a moment before would end after the hold was answered as placed.
test('a hold waits for an erasure that is under way, and an erasure for a hold', async () => {
  const caller = await anAccount(store);
  for (const covers of ['request', 'account'] as const) {
    const { request_id: id } = await intake(store, caller);
    const about = covers === 'request' ? { requestId: id } : { accountId: caller.accountId };
    await withClient(stores.connectionString, async (client) => {
      await client.query('begin');
      await client.query('lock table draft in access exclusive mode');
      const erasing = erase(store, id, { confirmer: person });
      const waitingCount = async () =>
        (
          await sql(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length;
      await expect.poll(waitingCount).toBe(1);
      const placing = placeHold(rival, { caller: person, covers: about, reason: REASON });
      await expect.poll(waitingCount).toBe(2);
      await client.query('rollback');
      expect(await erasing).toMatchObject({ kind: 'confirmed' });
      expect(await placing).toMatchObject({ kind: covers === 'request' ? 'erased' : 'placed' });
    });
  }
});

// Without it evidence that somebody asked to keep would go with the calendar of its own table.
test('what has a time of its own, as exchanges and held outputs, is kept by a hold as well', async () => {
  const [held, free] = [await anAccount(store), await anAccount(store)];
  const ids = [
    (await aFinishedRequest(store, held)).request_id,
    (await aFinishedRequest(store, free)).request_id,
  ];
  for (const id of ids)
    await sql(
      `insert into x12_exchange (request_id, control_number, account_id, payer_id, started_at, duration_ms, payer_codes, inquiry)
       select id, 1, account_id, payer_id, now() - interval '401 days', 1, '{}', 'ISA' from request where id = $1`,
      [id],
    );
  await place({ accountId: held.accountId });
  await removeExpired(store);
  expect(await sql('select request_id from x12_exchange where request_id = any ($1)', [ids])).toEqual([
    { request_id: ids[0] },
  ]);
});

test('holds are listed with their reason, which is encrypted; the erasure of their request takes it', async () => {
  const caller = await anAccount(store);
  const { request_id: id } = await intake(store, caller);
  const hold = await place({ requestId: id });
  expect(hold).toEqual({
    hold_id: expect.stringMatching(/^hold_/),
    request_id: id,
    account_id: caller.accountId,
    account_name: 'Clinic',
    reason: REASON,
    placed_by: person.keyId,
    placed_by_name: 'Ada',
    placed_at: expect.any(String),
    ended_by: null,
    ended_at: null,
  });
  const ended = await end(hold.hold_id);
  expect(ended).toMatchObject({
    hold: { reason: REASON, ended_by: person.keyId, ended_at: expect.any(String) },
  });
  expect(await endHold(store, { caller: aPlatformCaller(), holdId: hold.hold_id })).toEqual(ended);
  expect((await listHolds(store, { caller: person, limit: 1 })).items).toEqual([
    ended.kind === 'ended' && ended.hold,
  ]);
  const lines = await sql<{ line: string }>(
    `select to_jsonb(line)::text as line from access_log line where subject_id = $1`,
    [hold.hold_id],
  );
  expect(lines).toHaveLength(3);
  expect(JSON.stringify(lines)).not.toContain('Doe');
  await erase(store, id, { confirmer: person });
  expect((await listHolds(store, { caller: person, limit: 1 })).items).toMatchObject([{ reason: null }]);
  expect(await placeHold(store, { caller: person, covers: { requestId: id }, reason: REASON })).toEqual({
    kind: 'erased',
  });
});

test('beyond the caller’s reach there is nothing to hold, and no hold to end', async () => {
  const caller = await anAccount(store);
  const { request_id: id } = await intake(store, caller);
  const { hold_id: holdId } = await place({ requestId: id });
  const stranger = { ...aPlatformCaller('test'), testAccountIds: [] };
  for (const covers of [{ requestId: id }, { accountId: caller.accountId }, { accountId: 'x' }])
    expect(await placeHold(store, { caller: stranger, covers, reason: REASON })).toEqual({
      kind: 'not_found',
    });
  expect(await endHold(store, { caller: stranger, holdId })).toEqual({ kind: 'not_found' });
  expect((await listHolds(store, { caller: stranger, limit: 10 })).items).toEqual([]);
});

/** What somebody who writes to the database may do to a hold, in place of ending it. */
const TAMPERING = {
  'was removed': `delete from legal_hold where id = $1`,
  'was given an end': `update legal_hold set ended_at = now(), ended_by = placed_by where id = $1`,
  'was given an end, with a line of the audit': `with ended as (
      update legal_hold set ended_at = now(), ended_by = placed_by where id = $1 returning id, ended_by, request_id
    ) insert into access_log (key_id, operation, request_id, subject_id) select ended_by, 'holds.end', request_id, id from ended`,
  'was turned to another request': `update legal_hold set request_id = (select min(id) from request) where id = $1`,
  'was turned to another account': `update legal_hold set account_id = (select min(id) from account where kind = 'provider') where id = $1`,
  'lost its MAC': `update legal_hold set mac = '' where id = $1`,
  'was put in the place of another': `update legal_hold set id = overlay(id placing '7' from 6) where id = $1`,
};

// Broke: whoever could write to the database ended a hold unseen, and one person more erased what a court asked to keep.
test.each(
  (Object.keys(TAMPERING) as (keyof typeof TAMPERING)[]).flatMap((deed) =>
    (['request', 'account'] as const).map((covers) => [deed, covers] as const),
  ),
)('a hold that %s, on the %s, keeps what it held, is reported, and can be ended', async (deed, covers) => {
  const caller = await anAccount(store);
  const due = await aDue(caller);
  const { request_id: id } = await intake(store, caller);
  await sql(
    `insert into x12_exchange (request_id, control_number, account_id, payer_id, started_at, duration_ms, payer_codes, inquiry)
     select id, 1, account_id, payer_id, now() - interval '401 days', 1, '{}', 'ISA' from request where id = any ($1)`,
    [[id, due]],
  );
  const asking = { caller: aPlatformCaller(), requestId: id, reason: 'wrong_patient' as const };
  const asked = await askErasure(store, asking);
  if (asked.kind !== 'asked') throw new Error('It was not asked for.');
  const { erasure_id: erasureId } = asked.erasure;
  const confirming = { caller: person, erasureId, memberIdEnding: '6789', backupDays: null };
  const holds =
    covers === 'request'
      ? [await place({ requestId: id }), await place({ requestId: due })]
      : [await place({ accountId: caller.accountId })];
  for (const { hold_id: holdId } of holds) await sql(TAMPERING[deed], [holdId]);
  reported.length = 0;
  const holdId = holds[0]?.hold_id ?? '';
  expect(await confirmErasure(watched, confirming)).toEqual({ kind: 'held', holdId });
  expect(reported).toContainEqual({ table: 'legal_hold', id: holdId });
  await eraseDue(watched, { limit: 10 });
  await removeExpired(watched);
  expect([await isErased(due), await isErased(id)]).toEqual([false, false]);
  expect(await sql('select from x12_exchange where request_id = any ($1)', [[id, due]])).toHaveLength(2);
  // An ended hold whose MAC is right counts as ended, whoever looks.
  for (const one of holds)
    expect(await end(one.hold_id)).toMatchObject({ kind: 'ended', hold: { ended_by: person.keyId } });
  // What stands then is the row of the id that nobody issued.
  if (deed === 'was put in the place of another')
    for (const one of holds) await end(one.hold_id.replace('hold_0', 'hold_7'));
  expect(await confirmErasure(store, confirming)).toMatchObject({ kind: 'confirmed' });
  await sql('update account set retention_days = null where id = $1', [caller.accountId]);
});

test('a row of a hold that was never placed keeps what it names until it is ended', async () => {
  const caller = await anAccount(store);
  const { request_id: id } = await intake(store, caller);
  const holdId = 'hold_01jdabcdefghjkmnpqrstvwxyz';
  await sql(
    `insert into legal_hold (id, request_id, account_id, reason, placed_by) values ($1, $2, $3, '', $4)`,
    [holdId, id, caller.accountId, person.keyId],
  );
  const asking = { caller: aPlatformCaller(), requestId: id, reason: 'wrong_patient' as const };
  expect(await askErasure(store, asking)).toEqual({ kind: 'held', holdId });
  expect(await end(holdId)).toMatchObject({ kind: 'ended' });
  expect(await askErasure(store, asking)).toMatchObject({ kind: 'asked' });
});
