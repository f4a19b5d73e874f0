import type {
  InsurancePlanData,
  KnownAnswer,
  SeededRequest,
  VerificationSource,
} from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { anEntry } from '../../test/ground/an-entry.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aPlatformCaller, aWebhookSecret, PAYER_ID } from '../../test/ground/stages.ts';
import { aRoute, claim, claimOne, fail, submitFound, workQueue } from '../../test/ground/work-queue.ts';
import {
  applyHeldOutput,
  type Caller,
  correctWork,
  dismissHeldOutput,
  measureAccuracy,
  seedKnownAnswer,
  type Route,
} from '../index.ts';
import { wilson } from './measure-accuracy.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const operator = aPlatformCaller();
const DAY_MS = 86_400_000;

const RIGHT = {
  eligibility_status: 'Active',
  plan_name: 'PPO Gold',
  start_date: '2026-01-01',
  end_date: '2026-12-31',
  codes: [
    { code: 'D0120', is_covered: true },
    { code: 'D1110', is_covered: false },
  ],
} as const satisfies KnownAnswer;

type Plan = InsurancePlanData['plan_info'];

const RIGHT_PLAN: Plan = {
  eligibility_status: 'Active',
  plan_name: 'PPO Gold',
  start_date: '2026-01-01',
  end_date: '2026-12-31',
  cpt_code_coverage: ['D0120'],
};

async function seed(answer: KnownAnswer = RIGHT): Promise<SeededRequest> {
  const seeded = await seedKnownAnswer(store, {
    caller: operator,
    payerId: PAYER_ID,
    request: aRequest({ cpt_code_coverage: ['D0120', 'D1110'] }),
    serviceDate: null,
    neededBy: null,
    answer,
    createWebhookSecret: aWebhookSecret,
  });
  if (seeded.kind !== 'seeded') throw new Error(seeded.kind);
  return seeded.seeded;
}

const entryOf = (channel: VerificationSource, plan: Plan) =>
  anEntry({ verification_source: channel, plan_info: { ...RIGHT_PLAN, ...plan } });

/** The report of one verifier's answers, without its intervals. */
async function reportOf(caller: Caller) {
  const range = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) };
  const rows = await measureAccuracy(store, { caller: operator, ...range });
  return rows.filter(({ verifier_id: id }) => id === caller.keyId);
}

const countsOf = async (caller: Caller) =>
  (await reportOf(caller)).map((row) => [
    row.channel,
    row.code ?? row.field,
    row.answered_count,
    row.right_count,
    row.wrong_count,
    row.unanswered_count,
  ]);

/** What is wrong in an answer, and the field of the report that has to say so. */
const WRONG: readonly (readonly [field: string, plan: Plan])[] = [
  ['eligibility_status', { eligibility_status: 'Inactive' }],
  ['plan_name', { plan_name: 'PPO Silver' }],
  ['start_date', { start_date: '2026-10-01' }],
  ['end_date', { end_date: '2026-12-13' }],
  ['D0120', { cpt_code_coverage: [] }],
  ['D1110', { cpt_code_coverage: ['D0120', 'D1110'] }],
];

// The bar. Without it a report could miss a wrong answer, or call a right one wrong.
test('of 200 seeded requests with 17 wrong answers the report finds these 17 by field', async () => {
  await workQueue(stores).empty();
  for (let count = 0; count < 200; count += 1) await seed();
  const verifiers = [aPlatformCaller(), aPlatformCaller()];
  const channels = ['agent_web_portal', 'manual_phone_call'] as const;
  const expected: string[] = [];
  for (let at = 0; at < 200;) {
    const channel = channels[at % 2] ?? 'agent_web_portal';
    const caller = verifiers[at < 100 ? 0 : 1] ?? operator;
    const routes: readonly Route[] = [aRoute([channel])];
    for (const work of await claim(store, { caller, routes, channels: [channel], limit: 5 })) {
      const isWrong = at % 12 === 5; // 5, 17, … 197: 17 of 200
      const [field = '', plan = {}] = (isWrong && WRONG[expected.length % WRONG.length]) || [];
      if (isWrong) expected.push([caller.keyId, channel, field, work.requestId].join(' '));
      await submitFound(store, work, { caller, routes, insuranceData: [entryOf(channel, plan)] });
      at += 1;
    }
  }
  expect(expected).toHaveLength(17);
  const rows = (await Promise.all(verifiers.map(reportOf))).flat();
  const found = rows.flatMap((row) =>
    row.wrong_request_ids.map((id) => [row.verifier_id, row.channel, row.code ?? row.field, id].join(' ')),
  );
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(rows.reduce((sum, row) => sum + row.answered_count, 0)).toBe(200 * 6);
  expect(rows.reduce((sum, row) => sum + row.right_count, 0)).toBe(200 * 6 - 17);
  for (const row of rows) {
    const interval = wilson(row.right_count, row.answered_count);
    expect([row.right_share_low, row.right_share_high]).toEqual([interval?.low, interval?.high]);
  }
}, 60_000);

// Without it a verifier who admits that the payer did not answer would count as wrong.
test('a request that could not be verified, and a field left open, are unanswered; the next channel counts for itself', async () => {
  await workQueue(stores).empty();
  const [first, second] = [aPlatformCaller(), aPlatformCaller()];
  await seed({ eligibility_status: 'Active', end_date: null });
  await seed({ plan_name: 'PPO Gold' });
  const work = await claimOne(store, { caller: first });
  await fail(store, work, { caller: first });
  await submitFound(store, await claimOne(store, { caller: first }), {
    caller: first,
    insuranceData: [entryOf('agent_web_portal', { plan_name: null })],
  });
  const next = await claimOne(store, { caller: second, channels: ['manual_phone_call'] });
  expect(next.requestId).toBe(work.requestId);
  await submitFound(store, next, {
    caller: second,
    insuranceData: [entryOf('manual_phone_call', { end_date: null })],
  });
  expect(await countsOf(first)).toEqual([
    ['agent_web_portal', 'eligibility_status', 0, 0, 0, 1],
    ['agent_web_portal', 'end_date', 0, 0, 0, 1],
    ['agent_web_portal', 'plan_name', 0, 0, 0, 1],
  ]);
  expect(await countsOf(second)).toEqual([
    ['manual_phone_call', 'eligibility_status', 1, 1, 0, 0],
    ['manual_phone_call', 'end_date', 1, 1, 0, 0],
  ]);
});

test('of several coverages the one that agrees most counts', async () => {
  await workQueue(stores).empty();
  const caller = aPlatformCaller();
  await seed({ plan_name: 'PPO Gold', eligibility_status: 'Active' });
  const work = await claimOne(store, { caller });
  const other = entryOf('agent_web_portal', { plan_name: 'Vision', eligibility_status: 'Inactive' });
  await submitFound(store, work, { caller, insuranceData: [other, entryOf('agent_web_portal', {})] });
  expect((await reportOf(caller)).map(({ right_count: right }) => right)).toEqual([1, 1]);
});

// Without it a slip that its verifier corrected at once would count against them.
test.each([
  ['applied', 'before it seems received', 60],
  ['held', 'after it seems received', 0],
] as const)('a correction, %s %s, counts in the place of what it corrects', async (kind, _, delay) => {
  await workQueue(stores).empty();
  const caller = aPlatformCaller();
  const slow = await stores.open({ firstDeliveryDelaySeconds: delay });
  await seed({ plan_name: 'PPO Gold' });
  const work = await claimOne(store, { caller });
  const wrong = entryOf('agent_web_portal', { plan_name: 'PPO Silver' });
  await submitFound(slow, work, { caller, insuranceData: [wrong] });
  const { requestId } = work;
  expect(await countsOf(caller)).toEqual([['agent_web_portal', 'plan_name', 1, 0, 1, 0]]);
  const corrected = await correctWork(slow, {
    caller,
    requestId,
    insuranceData: [entryOf('agent_web_portal', {})],
    errorReason: null,
    evidence: { correctionReason: 'The card says Gold' },
    routes: [],
  });
  expect(corrected.kind).toBe(kind);
  expect(await countsOf(caller)).toEqual([['agent_web_portal', 'plan_name', 1, 1, 0, 0]]);
});

// Without it a verifier could look at the answer of another, and be right a day later.
test('a correction after ten minutes does not count, also once an operator applies it', async () => {
  await workQueue(stores).empty();
  const caller = aPlatformCaller();
  await seed({ plan_name: 'PPO Gold' });
  const work = await claimOne(store, { caller });
  const wrong = entryOf('agent_web_portal', { plan_name: 'PPO Silver' });
  await submitFound(store, work, { caller, insuranceData: [wrong] });
  const { requestId } = work;
  const past = `interval '11 minutes'`;
  await sql(`update verification_attempt set ended_at = ended_at - ${past} where request_id = $1`, [
    requestId,
  ]);
  await sql(`update result set applied_at = applied_at - ${past} where request_id = $1`, [requestId]);
  const corrected = await correctWork(store, {
    caller,
    requestId,
    insuranceData: [entryOf('agent_web_portal', {})],
    errorReason: null,
    evidence: { correctionReason: 'The card says Gold' },
    routes: [],
  });
  if (corrected.kind !== 'held') throw new Error(corrected.kind);
  const counts = [['agent_web_portal', 'plan_name', 1, 0, 1, 0]];
  expect(await countsOf(caller)).toEqual(counts);
  await applyHeldOutput(store, { caller: operator, heldId: corrected.heldId });
  expect(await countsOf(caller)).toEqual(counts);
});

// Without it an operator who dismisses the wrong results of an agent would make it look right.
test.each(['waits', 'is dismissed', 'is applied'] as const)(
  'an agent’s result that is held counts once, as it was submitted, when it %s',
  async (end) => {
    await workQueue(stores).empty();
    const caller = aPlatformCaller();
    const routes = [aRoute(['agent_web_portal'], { holdsAgentResults: true })];
    await seed({ plan_name: 'PPO Gold' });
    const work = await claimOne(store, { caller, routes });
    const wrong = entryOf('agent_web_portal', { plan_name: 'PPO Silver' });
    const submitted = await submitFound(store, work, { caller, routes, insuranceData: [wrong] });
    if (submitted.kind !== 'held') throw new Error(submitted.kind);
    const { heldId } = submitted;
    if (end === 'is dismissed') await dismissHeldOutput(store, { caller: operator, heldId, note: 'Silver' });
    if (end === 'is applied') await applyHeldOutput(store, { caller: operator, heldId });
    expect(await countsOf(caller)).toEqual([['agent_web_portal', 'plan_name', 1, 0, 1, 0]]);
  },
);

test('Wilson’s interval is that of the published tables', () => {
  const rounded = (hits: number, count: number) => {
    const { low = 0, high = 0 } = wilson(hits, count) ?? {};
    return [low.toFixed(4), high.toFixed(4)];
  };
  expect(rounded(81, 263)).toEqual(['0.2553', '0.3662']); // Newcombe, Statistics in Medicine 17 (1998), table I
  expect(rounded(15, 148)).toEqual(['0.0624', '0.1605']);
  expect(rounded(0, 20)).toEqual(['0.0000', '0.1611']);
  expect(rounded(1, 29)).toEqual(['0.0061', '0.1718']);
  expect(wilson(0, 0)).toBeNull();
});
