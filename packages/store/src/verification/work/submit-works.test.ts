import { expect, test } from 'vitest';
import { anEntry } from '../../../test/ground/an-entry.ts';
import { submitAll, submitWork } from '../../../test/ground/one-by-one.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, intake } from '../../../test/ground/stages.ts';
import { theAttempts, theDeliveries, theResult } from '../../../test/ground/the-stored.ts';
import { aVerifier, claim, claimOne, ROUTE, workQueue } from '../../../test/ground/work-queue.ts';
import {
  type ClaimedWork,
  readX12Exchanges,
  type WorkSubmission,
  type PlainX12Exchange,
} from '../../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
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

let controlNumber = 0;
const anExchange = ({ requestId, accountId }: ClaimedWork): PlainX12Exchange => ({
  requestId,
  accountId,
  payerId: 'plan-1',
  controlNumber: (controlNumber += 1),
  startedAt: new Date('2026-11-21T09:30:00Z'),
  durationMs: 812,
  statusCode: 200,
  errorReason: null,
  payerCodes: ['71', 'a "quoted" code'],
  inquiry: 'ISA*NM1*IL*1*ROE*JANE~',
  answer: Buffer.from('ISA*NM1*IL*1*ROE*JANE*é~', 'latin1'),
});

// Without it the payer's answer could be stored and its result lost, or vice versa.
test('results of one list, their evidence and exchanges are written by one statement', async () => {
  const works = await someLeases(4);
  const exchanges = works.map(anExchange);
  const answers = await submitAll(
    store,
    works.map((work, index) =>
      found(work, { exchange: exchanges[index], ...(index % 2 === 0 && { claimed: work }) }),
    ),
  );
  expect(answers).toEqual(works.map(() => applied));
  for (const [index, { requestId }] of works.entries()) {
    expect(await theResult(store, caller, requestId)).toMatchObject({ request: { state: 'complete' } });
    expect(await theDeliveries(store, caller, requestId)).toMatchObject([{ status: 'pending' }]);
    expect(await theAttempts(store, caller, requestId)).toMatchObject([
      { outcome: 'succeeded', result_version: 1, note: `Seen for ${requestId}.` },
    ]);
    expect(await readX12Exchanges(store, requestId)).toEqual([exchanges[index]]);
  }
  const ids = works.map(({ requestId }) => requestId);
  const transactions = await sql(
    `select xmin::text from result where request_id = any ($1)
     union select xmin::text from x12_exchange where request_id = any ($1)`,
    [ids],
  );
  expect(transactions).toHaveLength(1);
});

// Without it (a zombie) a verifier that lost the lease would overtake its holder; or the payer would be asked, and
// paid, again.
test('a lost lease changes nothing, whoever claimed it, and its exchange is kept', async () => {
  const [lapsed, taken, stale, fine] = await someLeases(4);
  if (!lapsed || !taken || !stale || !fine) throw new Error('Four.');
  await queue.lapse(lapsed.requestId);
  await queue.lapse(taken.requestId);
  const holder = await claimOne(rival);
  const before = [await queue.row(lapsed.requestId), await queue.row(taken.requestId)];
  const exchange = anExchange(lapsed);
  const answers = await submitAll(store, [
    found(lapsed, { claimed: lapsed, exchange }),
    found(taken, { claimed: taken }),
    found(stale, { leaseToken: 'not a token\0' }),
    found(stale, { requestId: 'nonsense' }),
    found(fine),
  ]);
  const lost = { kind: 'lease_lost' };
  expect(answers).toEqual([lost, lost, lost, { kind: 'not_found' }, applied]);
  expect([await queue.row(lapsed.requestId), await queue.row(taken.requestId)]).toEqual(before);
  expect(await readX12Exchanges(store, lapsed.requestId)).toEqual([exchange]);
  expect(await submitWork(store, found(lapsed, { exchange }))).toEqual({ kind: 'lease_lost' });
  expect(await readX12Exchanges(store, lapsed.requestId)).toEqual([exchange]);
  expect(holder.leaseToken).not.toBe(taken.leaseToken);
});

// Without it a result about another patient would be sent because it arrived with others.
test('what does not fit is refused by itself, and the lease still holds', async () => {
  const [misfit, fine] = await someLeases(2);
  if (!misfit || !fine) throw new Error('Two.');
  const insuranceData = [anEntry({ verification_source: 'manual_phone_call' })];
  const submission = found(misfit, { claimed: misfit, insuranceData });
  const answers = await submitAll(store, [submission, found(fine)]);
  expect(answers).toEqual([{ kind: 'misfit', misfits: [{ kind: 'channel', index: 0 }] }, applied]);
  expect(await submitWork(store, found(misfit))).toEqual(applied);
});
