import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { pagesRead } from '../../test/ground/pages-read.ts';
import { aFinishedRequest, anAccount, aPlatformCaller, hold, intake } from '../../test/ground/stages.ts';
import type { Caller } from '../access/caller.ts';
import { applyHeldOutput, dismissHeldOutput, viewRequest } from '../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const clinic = await anAccount(store);
const verifier = await anAccount(store, { kind: 'platform' });
const operator: Caller = { ...(await anAccount(store, { kind: 'platform' })), acrossAccounts: true };

async function heldOf(requestId: string, caller = operator) {
  const viewed = await viewRequest(store, { caller, requestId, routes: [], makesRequests: false });
  if (viewed.kind !== 'found') throw new Error(`Request ${requestId}: ${viewed.kind}.`);
  return viewed.view.held_outputs;
}

/** Outputs of one finished request: one waits, one was applied and one dismissed with a note. */
async function threeHeld() {
  const request = await aFinishedRequest(store, clinic);
  const [waiting = '', applied = '', dismissed = ''] = await Promise.all(
    ['waits', 'applied', 'dismissed'].map((notes) =>
      hold(store, anOutput(request, { notes }), { caller: verifier }),
    ),
  );
  await applyHeldOutput(store, { caller: operator, heldId: applied });
  await dismissHeldOutput(store, { caller: operator, heldId: dismissed, note: 'Jane Doe moved' });
  return { requestId: request.request_id, waiting, applied, dismissed };
}

const TIME = expect.any(String);

// Without it an operator would learn from the timeline neither that an output waits nor what was done with it.
test('a request’s page shows each held output, who sent it, who settled it and how, without its texts', async () => {
  const { requestId, waiting, applied, dismissed } = await threeHeld();
  const held = await heldOf(requestId);
  const summary = { reason: 'superseding', received_at: TIME, received_by: verifier.keyId };
  const settled = { ...summary, settled_at: TIME, settled_by: operator.keyId };
  expect(new Set(held)).toEqual(
    new Set([
      {
        ...summary,
        held_id: waiting,
        status: 'held',
        version: null,
        settled_at: null,
        settled_by: null,
        noted: false,
      },
      { ...settled, held_id: applied, status: 'applied', version: 2, noted: false },
      { ...settled, held_id: dismissed, status: 'dismissed', version: null, noted: true },
    ]),
  );
  expect(held.map(({ held_id }) => held_id)).toEqual([waiting, applied, dismissed].toSorted());
});

// Without it a clinic would learn the platform's people, or not learn that an output waits.
test('who asks only for the account learns that outputs are held and why, not by whom', async () => {
  const { requestId } = await threeHeld();
  const held = await heldOf(requestId, clinic);
  expect(held.map(({ status }) => status).toSorted()).toEqual(['applied', 'dismissed', 'held']);
  expect(held.filter((one) => one.received_by !== null || one.settled_by !== null)).toEqual([]);
});

// Without it an output would be in the timeline of a request that it is not about, or missing in the one it became part of.
test('an output is with the request that it names and the one whose result it became, and with no other', async () => {
  const [named, taken, other] = [
    await intake(store, clinic),
    await intake(store, clinic),
    await intake(store, clinic),
  ];
  const [elsewhere, unmatched, stranger] = [
    await hold(store, anOutput(named, { notes: 'elsewhere' }), { trusted: false }),
    await hold(store, anOutput(taken, { request_id: null })),
    await hold(store, anOutput(named, { notes: 'stranger' }), {
      caller: null,
      client: '203.0.113.7',
      trusted: false,
    }),
  ];
  await applyHeldOutput(store, { caller: operator, heldId: unmatched, requestId: taken.request_id });
  await applyHeldOutput(store, { caller: operator, heldId: elsewhere, requestId: taken.request_id });
  expect(await heldOf(named.request_id)).toMatchObject([
    { held_id: elsewhere, status: 'applied', version: null },
    { held_id: stranger, status: 'held', reason: 'untrusted', received_by: null },
  ]);
  expect(await heldOf(taken.request_id)).toMatchObject([
    { held_id: elsewhere, version: 2 },
    { held_id: unmatched, version: 1 },
  ]);
  expect(await heldOf(other.request_id)).toEqual([]);
});

// Without it a test key would learn what was handed in about a live request.
test('a test account’s operator sees no held output about a live request', async () => {
  const [live, mine] = [
    await intake(store, clinic),
    await intake(store, await anAccount(store, { mode: 'test' })),
  ];
  const aboutLive = await hold(store, anOutput(live), { trusted: false });
  const own = await hold(store, anOutput(mine, { notes: 'own' }), { trusted: false });
  await applyHeldOutput(store, { caller: operator, heldId: aboutLive, requestId: mine.request_id });
  const tester: Caller = { ...aPlatformCaller('test'), acrossAccounts: true };
  expect((await heldOf(mine.request_id, tester)).map(({ held_id }) => held_id)).toEqual([own]);
});

// Broke: nothing led from a request to its held outputs, so that all that were ever held would be read.
test('a request’s held outputs are read by their index, however many others there are, and at most 100', async () => {
  const { requestId, applied } = await threeHeld();
  const [crowded, quiet] = [await aFinishedRequest(store, clinic), await aFinishedRequest(store, clinic)];
  await sql(
    `insert into held_output (id, reason, request_id, named_request_id, digest, body, byte_count)
     select 'held_7' || lpad(n::text, 25, '0'), reason, case n % 2 when 0 then $2 end, case n % 2 when 1 then $2 end,
       int8send(n), body, byte_count
     from held_output, generate_series(1, 20000) n where id = $1`,
    [applied, crowded.request_id],
  );
  for (const analyzed of [false, true]) {
    if (analyzed) await sql('analyze');
    for (const id of [requestId, quiet.request_id, crowded.request_id]) {
      const { pageCount, plans } = await pagesRead(stores, store, (watched) =>
        viewRequest(watched, { caller: operator, requestId: id, routes: [], makesRequests: false }),
      );
      expect(plans).toContain('held_output_request');
      expect(plans).not.toContain('Seq Scan on held_output');
      expect(pageCount).toSatisfy((count) => count > 0 && count < 400);
    }
  }
  const held = await heldOf(crowded.request_id);
  expect([held.length, held.at(-1)?.held_id]).toEqual([100, `held_7${'20000'.padStart(25, '0')}`]);
});
