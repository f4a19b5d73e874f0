import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, intake, submit } from '../../test/ground/stages.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const caller = await anAccount(store);

// Without it nobody could tell which verifier touched a request; if too broad, anonymous senders could fill the log.
test('what a verifier submits is in the access log, a stranger’s unmatched output is not', async () => {
  const verifier = await anAccount(store, { kind: 'platform' });
  const request = await intake(store, caller);
  const submitAs = (output: Parameters<typeof submit>[1]) => submit(store, output, { caller: verifier });
  await submitAs(anOutput(request, { state: 'pending' }));
  await submitAs(anOutput(request));
  await submitAs(anOutput(request));
  await submitAs(anOutput(request, { notes: 'other' }));
  await submitAs(anOutput(request, { request_id: null }));
  const line = ['verificationOutput.submit', request.request_id];
  expect(await accessLines(stores, verifier)).toEqual([
    line,
    line,
    line,
    line,
    ['verificationOutput.submit', null],
  ]);
  const count = async () => (await sql('select from access_log')).length;
  const before = await count();
  await submit(store, anOutput(request, { request_id: null, notes: 'stranger' }), { caller: null });
  expect(await count()).toBe(before);
});

// Broke: anyone who knew one id could add endless lines to a permanent log, one with each repeat or variation.
test('what a stranger sends about a known request leaves a line only when it becomes its result', async () => {
  const request = await intake(store, caller);
  const stranger = { caller: null, client: '192.0.2.1' };
  const lines = async () =>
    (await sql(`select from access_log where request_id = $1 and key_id is null`, [request.request_id]))
      .length;
  const send = (facts: Parameters<typeof anOutput>[1], trusted: boolean) =>
    submit(store, anOutput(request, facts), { ...stranger, trusted });
  for (const notes of ['a', 'a', 'b']) await send({ notes }, false);
  for (const notes of ['a', 'a', 'b']) await send({ notes, state: 'pending' }, true);
  expect(await lines()).toBe(0);
  expect(await send({}, true)).toMatchObject({ kind: 'applied' });
  expect(await lines()).toBe(1);
  expect(await send({}, true)).toMatchObject({ kind: 'unchanged' });
  expect(await send({ notes: 'other' }, true)).toMatchObject({ kind: 'held', reason: 'superseding' });
  expect(await lines()).toBe(1);
});

// Without it a leaked provider's key could submit outputs and nobody would know whose it was.
test('a key that may not verify is on record, and no request with it', async () => {
  const bearer = await anAccount(store);
  const request = await intake(store, caller);
  const send = (notes: string) =>
    submit(store, anOutput(request, { notes }), {
      caller: null,
      bearer,
      trusted: false,
      client: '192.0.2.9',
    });
  await send('a');
  await send('a');
  const line = ['verificationOutput.submit', null];
  expect(await accessLines(stores, bearer)).toEqual([line, line]);
});
