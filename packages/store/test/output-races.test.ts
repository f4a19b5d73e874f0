import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test, vi } from 'vitest';
import {
  applyHeldOutput,
  closeRequest,
  dismissHeldOutput,
  giveUpDelivery,
  redeliver,
  renewLeases,
} from '../src/index.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { orphans } from './ground/orphans.ts';
import { aFinishedRequest, anAccount, claimFor, finish, hold, intake, submit } from './ground/stages.ts';
import { theDeliveries, theRequest, theResult } from './ground/the-stored.ts';

vi.setConfig({ testTimeout: 120_000 });
const { store, rival, sql } = await openTestStores();
const caller = await anAccount(store, { kind: 'platform' });
const ROUNDS = 100;

const versionsOf = async (requestId: string) =>
  (
    await sql<{ version: number }>('select version from result where request_id = $1 order by 1', [requestId])
  ).map((row) => row.version);
const deliveriesOf = async (requestId: string) =>
  (await theDeliveries(store, caller, requestId)).map(({ version, status }) => `${version} ${status}`);
const kinds = (answers: readonly { kind: string }[]) => answers.map(({ kind }) => kind).toSorted();
const rounds = async (round: (index: number) => Promise<void>) => {
  for (let index = 0; index < ROUNDS; index += 1) await round(index);
};

// Any error, including a deadlock (40P01), fails these: every promise of every round must fulfil.
// Without it (fault 13) racing verifiers would send the receiver several webhooks.
test('thirty equal outputs over two processes are one result and one delivery', async () => {
  const request = await intake(store, caller);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => submit(index % 2 ? store : rival, anOutput(request))),
  );
  expect(kinds(answers)).toEqual(['applied', ...Array.from({ length: 29 }, () => 'unchanged')]);
  expect(await versionsOf(request.request_id)).toEqual([1]);
  expect(await deliveriesOf(request.request_id)).toEqual(['1 pending']);
});

// Without it the later of two verifiers would overwrite the first, or both would be delivered.
test('of two different outputs one is applied, the other is held', () =>
  rounds(async () => {
    const request = await intake(store, caller);
    const outputs = [anOutput(request, { notes: 'one' }), anOutput(request, { notes: 'other' })] as const;
    const answers = await Promise.all([submit(store, outputs[0]), submit(rival, outputs[1])]);
    expect(kinds(answers)).toEqual(['applied', 'held']);
    const winner = outputs[answers[0].kind === 'applied' ? 0 : 1];
    expect(await theResult(store, caller, request.request_id)).toMatchObject({
      insurance_data: winner.insurance_data,
    });
    expect(await deliveriesOf(request.request_id)).toEqual(['1 pending']);
  }));

// Without it a request could be closed and verified at once, and its receiver told both.
test('of an output and a closing one ends the request', () =>
  rounds(async () => {
    const request = await intake(store, caller);
    const closing = { caller, requestId: request.request_id, reason: 'withdrawn' };
    const [output, closed] = await Promise.all([
      submit(store, anOutput(request)),
      closeRequest(rival, closing),
    ]);
    if (closed.kind === 'finished') expect(output).toEqual({ kind: 'applied', version: 1 });
    else expect(output).toMatchObject({ kind: 'held', reason: 'superseding' });
    expect(await deliveriesOf(request.request_id)).toEqual(['1 pending']);
  }));

// Without it an operator's correction and a verifier's result would take the same version, or one would be lost.
test('an applied held output and an accepted one end in order', () =>
  rounds(async () => {
    const request = await intake(store, caller);
    const heldId = await hold(store, anOutput(request, { notes: 'held' }), { trusted: false });
    const [applied, accepted] = await Promise.all([
      applyHeldOutput(store, { caller, heldId }),
      submit(rival, anOutput(request, { notes: 'fresh' })),
    ]);
    if (accepted.kind === 'applied') {
      const second = { kind: 'applied', requestId: request.request_id, version: 2 };
      expect([accepted.version, applied]).toEqual([1, second]);
      expect(await deliveriesOf(request.request_id)).toEqual(['1 superseded', '2 pending']);
    } else {
      expect(accepted).toMatchObject({ kind: 'held', reason: 'superseding' });
      expect(await deliveriesOf(request.request_id)).toEqual(['1 pending']);
    }
  }));

// Without it two operators would send the receiver the same correction twice.
test('of two operators who apply one held output, to one request or to two, one does', () =>
  rounds(async (index) => {
    const [request, other] = [await aFinishedRequest(store, caller), await intake(store, caller)];
    const heldId = await hold(store, anOutput(request, { notes: 'correction' }));
    const requestId = index % 2 ? request.request_id : other.request_id;
    const answers = await Promise.all([
      applyHeldOutput(store, { caller, heldId }),
      applyHeldOutput(rival, { caller, heldId, requestId }),
    ]);
    expect(kinds(answers)).toEqual(['applied', 'settled']);
    const made = [...(await versionsOf(request.request_id)), ...(await versionsOf(other.request_id))];
    expect(made).toHaveLength(2);
  }));

// Without it an output could be both dismissed and delivered.
test('of an operator who applies and one who dismisses one does', () =>
  rounds(async () => {
    const request = await aFinishedRequest(store, caller);
    const heldId = await hold(store, anOutput(request, { notes: 'correction' }));
    const [applied, dismissed] = await Promise.all([
      applyHeldOutput(store, { caller, heldId }),
      dismissHeldOutput(rival, { caller, heldId }),
    ]);
    expect([applied.kind, dismissed.kind]).toSatisfy(
      ([one, other]) =>
        (one === 'applied' && other === 'settled') || (one === 'settled' && other === 'dismissed'),
    );
    expect(await versionsOf(request.request_id)).toHaveLength(applied.kind === 'applied' ? 2 : 1);
  }));

// Without it a stale delivery's end would show as the new result's, or both would deadlock.
test('a correction and the end of the delivery before it do not disturb each other', () =>
  rounds(async (index) => {
    const request = await aFinishedRequest(store, caller);
    const heldId = await hold(store, anOutput(request, { notes: 'correction' }));
    const leased = await claimFor(store, request.request_id);
    const next =
      index % 2 ? ({ kind: 'delivered' } as const) : ({ kind: 'exhausted', reason: 'webhook_gone' } as const);
    const [applied, finished] = await Promise.all([
      applyHeldOutput(store, { caller, heldId }),
      finish(rival, leased, { next }),
      renewLeases(rival, [leased]),
    ]);
    expect(applied).toEqual({ kind: 'applied', requestId: request.request_id, version: 2 });
    expect(await deliveriesOf(request.request_id)).toEqual([
      `1 ${finished ? next.kind : 'superseded'}`,
      '2 pending',
    ]);
    expect(await theRequest(store, caller, request.request_id)).toMatchObject({
      state: 'complete',
      error_reason: null,
    });
    const attempts = await sql('select from delivery_attempt where delivery_id = $1', [leased.deliveryId]);
    expect(attempts).toHaveLength(finished ? 1 : 0);
  }));

// Without it a worker that gives up a poison row would end the correction's delivery, or show it as failed.
test('a correction and the giving up of the delivery before it do not disturb each other', () =>
  rounds(async () => {
    const request = await aFinishedRequest(store, caller);
    const heldId = await hold(store, anOutput(request, { notes: 'correction' }));
    const leased = await claimFor(store, request.request_id);
    const [applied, givenUp] = await Promise.all([
      applyHeldOutput(store, { caller, heldId }),
      giveUpDelivery(rival, leased),
    ]);
    expect(applied).toEqual({ kind: 'applied', requestId: request.request_id, version: 2 });
    expect(await deliveriesOf(request.request_id)).toEqual([
      `1 ${givenUp.kind === 'given_up' ? 'exhausted' : 'superseded'}`,
      '2 pending',
    ]);
    expect(await theRequest(store, caller, request.request_id)).toMatchObject({ state: 'complete' });
  }));

// Without it concurrent operations on one request could deadlock: 503s under load.
test('everything at once on few requests ends well', async () => {
  const requests = await Promise.all(Array.from({ length: 4 }, () => aFinishedRequest(store, caller)));
  const held: string[] = [];
  for (const request of requests)
    for (let index = 0; index < 15; index += 1)
      held.push(await hold(store, anOutput(request, { notes: `held ${index}` })));
  const work = requests.flatMap((request, at) =>
    Array.from({ length: 15 }, (_, index) => {
      const [here, there] = index % 2 ? [store, rival] : [rival, store];
      return [
        () => applyHeldOutput(here, { caller, heldId: held[at * 15 + index] ?? '' }),
        () => dismissHeldOutput(there, { caller, heldId: held[at * 15 + index] ?? '' }),
        () => submit(there, anOutput(request, { notes: `fresh ${index}` })),
        () => redeliver(here, { caller, requestId: request.request_id }),
        async () =>
          finish(
            there,
            await claimFor(here, request.request_id).catch(() => ({
              deliveryId: 'msg_0',
              leaseToken: '00000000-0000-0000-0000-000000000000',
              requestId: request.request_id,
              version: 1,
              endpointId: null,
              accountId: caller.accountId,
            })),
          ),
      ];
    }).flat(),
  );
  // As many as one process has connections for, since all may be at one of the two: further callers are turned away after
  // 0.7 s, which is not the subject here.
  const steps = work.values();
  const worker = async () => {
    for (const step of steps) await step();
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  for (const request of requests) {
    const versions = await versionsOf(request.request_id);
    expect(versions).toEqual(versions.map((_, index) => index + 1));
    const unfinished = (await deliveriesOf(request.request_id)).filter((delivery) =>
      delivery.endsWith('pending'),
    );
    expect(unfinished.length).toBeLessThan(2);
  }
});

// Without it a request or a delivery could wait in no queue, or stay in one when it is finished: no foreign key sees it.
test('all that was written has its counterpart', async () => {
  expect(await orphans({ sql })).toEqual([]);
});
