import { expect, test } from 'vitest';
import { anEntry } from '../../../test/ground/an-entry.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, intake } from '../../../test/ground/stages.ts';
import { theAttempts, theDeliveries, theResult } from '../../../test/ground/the-stored.ts';
import { aVerifier, claim, claimOne, ROUTE, workQueue } from '../../../test/ground/work-queue.ts';
import {
  type ClaimedWork,
  type PlainX12Exchange,
  readX12Exchanges,
  submitWork,
  type WorkSubmission,
} from '../../index.ts';

const stores = await openTestStores();
const { store, rival } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

const applied = { kind: 'applied', version: 1 };

const someLeases = async (count: number) => {
  await queue.empty();
  for (let index = 0; index < count; index += 1) await intake(store, caller);
  return claim(store, { limit: count });
};

const found = (work: ClaimedWork, facts: Partial<WorkSubmission> = {}): WorkSubmission => ({
  caller: aVerifier(),
  requestId: work.requestId,
  leaseToken: work.leaseToken,
  insuranceData: [anEntry({ verification_source: work.channel })],
  evidence: { note: `Seen for ${work.requestId}.` },
  routes: [ROUTE],
  ...facts,
});

// Without it a result would be stored without its delivery or its evidence.
test('a submission writes the result, its delivery and the evidence', async () => {
  const [work] = await someLeases(1);
  if (!work) throw new Error('One.');
  const { requestId } = work;
  expect(await submitWork(store, found(work))).toEqual(applied);
  expect(await theResult(store, caller, requestId)).toMatchObject({ request: { state: 'complete' } });
  expect(await theDeliveries(store, caller, requestId)).toMatchObject([{ status: 'pending' }]);
  expect(await theAttempts(store, caller, requestId)).toMatchObject([
    { outcome: 'succeeded', result_version: 1, note: `Seen for ${requestId}.` },
  ]);
});

const anExchange = ({ requestId }: ClaimedWork, rest: Partial<PlainX12Exchange> = {}): PlainX12Exchange => ({
  requestId,
  accountId: caller.accountId,
  payerId: 'plan-1',
  controlNumber: 7,
  startedAt: new Date('2026-11-21T09:30:00Z'),
  durationMs: 812,
  statusCode: 200,
  errorReason: null,
  payerCodes: [],
  inquiry: 'ISA*NM1*IL*1*ROE*JANE~',
  answer: Buffer.from('ISA*NM1*IL*1*ROE*JANE*é~', 'latin1'),
  ...rest,
});

// Without it a result has no evidence of the payer's answer, or evidence says that a result was read which never was.
test('an exchange is stored with the result, also a long one, and not without the lease', async () => {
  const works = await someLeases(4);
  const [one, other, long, lapsed] = works;
  if (!one || !other || !long || !lapsed) throw new Error('Four.');
  await queue.lapse(lapsed.requestId);
  const answer = Buffer.alloc(100_000, 'ISA*');
  const submitted = works.map((work) =>
    submitWork(store, found(work, { exchange: anExchange(work, work === long ? { answer } : {}) })),
  );
  expect(await Promise.all(submitted)).toEqual([applied, applied, applied, { kind: 'lease_lost' }]);
  const stored = await Promise.all(works.map(({ requestId }) => readX12Exchanges(store, requestId)));
  expect(stored).toEqual([[anExchange(one)], [anExchange(other)], [anExchange(long, { answer })], []]);
});

// Without it (a zombie) a verifier that lost the lease would overtake its holder.
test('a lost lease changes nothing', async () => {
  const [lapsed, taken, stale] = await someLeases(3);
  if (!lapsed || !taken || !stale) throw new Error('Three.');
  await queue.lapse(lapsed.requestId);
  await queue.lapse(taken.requestId);
  const holder = await claimOne(rival);
  const before = [await queue.row(lapsed.requestId), await queue.row(taken.requestId)];
  const lost = { kind: 'lease_lost' };
  expect(await submitWork(store, found(lapsed))).toEqual(lost);
  expect(await submitWork(store, found(taken))).toEqual(lost);
  expect(await submitWork(store, found(stale, { leaseToken: 'not a token\0' }))).toEqual(lost);
  expect(await submitWork(store, found(stale, { requestId: 'nonsense' }))).toEqual({ kind: 'not_found' });
  expect([await queue.row(lapsed.requestId), await queue.row(taken.requestId)]).toEqual(before);
  expect(holder.leaseToken).not.toBe(taken.leaseToken);
});

// Without it a result about another patient would be delivered.
test('a mismatch is refused, and the lease still holds', async () => {
  const [mismatch] = await someLeases(1);
  if (!mismatch) throw new Error('One.');
  const insuranceData = [anEntry({ verification_source: 'manual_phone_call' })];
  expect(await submitWork(store, found(mismatch, { insuranceData }))).toEqual({
    kind: 'mismatch',
    mismatches: [{ kind: 'channel', index: 0 }],
  });
  expect(await submitWork(store, found(mismatch))).toEqual(applied);
});
