import { anOutput } from '@insurance-verification/testing/an-output';
import { beforeEach, expect, test } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, hold, intake } from '../../../test/ground/stages.ts';
import { theHeldOutput } from '../../../test/ground/the-stored.ts';
import { dismissHeldOutputs, listHeldOutputs } from '../../index.ts';
import { issueId } from '../../issued-id.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const provider = await anAccount(store);

beforeEach(() => sql('delete from held_output'));

const stray = (requestId: string | null, notes: string) =>
  intakeOnce.then((request) =>
    hold(store, anOutput(request, { request_id: requestId, notes }), { caller: null, trusted: false }),
  );
const intakeOnce = intake(store, provider);
const left = async () => (await listHeldOutputs(store, { caller: provider, limit: 1_000 })).items;
const anOperator = () => anAccount(store, { kind: 'platform' });
const dismiss = async (options: Partial<Parameters<typeof dismissHeldOutputs>[1]> = {}, on = store) =>
  dismissHeldOutputs(on, { caller: await anOperator(), reason: 'untrusted', limit: 1_000, ...options });

// Without it an operator would have to dismiss the thousands that a flood leaves one by one.
test('all of a reason are dismissed with the note, others stay; it is on record for each request', async () => {
  const operator = await anOperator();
  const [one, other] = [await intake(store, provider), await aFinishedRequest(store, provider)];
  const id = await stray(one.request_id, 'a');
  await stray(one.request_id, 'b');
  await stray(other.request_id, 'c');
  await stray(null, 'd');
  await stray(issueId('req'), 'e');
  const correction = await hold(store, anOutput(other, { notes: 'correction' }));
  expect(await dismiss({ caller: operator, note: 'a flood \0 \ud800' })).toEqual({
    dismissed: 5,
    more: false,
  });
  expect((await left()).map((held) => held.held_id)).toEqual([correction]);
  expect(await theHeldOutput(rival, provider, id)).toMatchObject({
    status: 'dismissed',
    note: 'a flood \0 \ud800',
    request_id: one.request_id,
  });
  const operation = 'heldOutputs.dismissMany';
  expect(await accessLines(stores, operator)).toEqual([
    [operation, expect.toSatisfy((ids: string[]) => ids.length === 2)],
  ]);
  const [[, about] = []] = await accessLines(stores, operator);
  expect(about).toEqual(expect.arrayContaining([one.request_id, other.request_id]));
  expect(await dismiss({ caller: operator })).toEqual({ dismissed: 0, more: false });
  expect((await accessLines(stores, operator)).at(-1)).toEqual([operation, null]);
});

// Broke: a NUL reached PostgreSQL and was a 500.
test('of an id that was never issued nothing is dismissed', async () => {
  const request = await intake(store, provider);
  await stray(request.request_id, 'a');
  for (const requestId of ['', 'x', 'req_x', `${request.request_id}\0`])
    expect(await dismiss({ requestId })).toEqual({ dismissed: 0, more: false });
  expect(await left()).toHaveLength(1);
});

// Without it an operator would dismiss outputs that came after the flood, or that concern another request.
test('only what came before a time, and what names a request, is dismissed', async () => {
  const [one, other] = [await intake(store, provider), await intake(store, provider)];
  const old = await stray(one.request_id, 'old');
  await sql(`update held_output set received_at = received_at - interval '1 hour'`);
  const young = await stray(one.request_id, 'young');
  const others = await stray(other.request_id, 'other');
  const receivedBefore = new Date(Date.now() - 60_000);
  expect(await dismiss({ receivedBefore })).toEqual({ dismissed: 1, more: false });
  expect((await left()).map((held) => held.held_id)).toEqual([others, young]);
  expect(await dismiss({ requestId: one.request_id })).toEqual({ dismissed: 1, more: false });
  expect((await left()).map((held) => held.held_id)).toEqual([others]);
  expect(await dismiss({ requestId: issueId('req') })).toEqual({ dismissed: 0, more: false });
  expect(await theHeldOutput(store, provider, old)).toMatchObject({ note: null });
});

// Without it one call could hold locks for minutes, or not report the rest beyond the limit.
test('more than one transaction takes go, the oldest first up to the limit', async () => {
  await sql(
    `insert into held_output (id, reason, digest, body, byte_count)
     select 'held_' || lpad(n::text, 26, '0'), 'untrusted', int4send(n), '', 1 from generate_series(1, 700) as n`,
  );
  expect(await dismiss({ limit: 300 })).toEqual({ dismissed: 300, more: true });
  const [waiting] = await sql(`select min(right(id, 3)) as oldest from held_output where status = 'held'`);
  expect(waiting).toEqual({ oldest: '301' });
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => dismiss({}, index % 2 ? store : rival)),
  );
  expect(answers.reduce((sum, { dismissed }) => sum + dismissed, 0)).toBe(400);
});
