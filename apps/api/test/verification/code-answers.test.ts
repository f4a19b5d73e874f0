import { type CodeCounts, insertRequests, keepX12Exchanges } from '@insurance-verification/store';
import { expect, test } from 'vitest';
import { createCodeAnswers } from '../../src/verification/api-channel/code-answers.ts';
import { rows } from '../rows.ts';
import { aRequestFor } from './a-connection.ts';
import { aLiveAccount } from './a-live-account.ts';

const DAY_MS = 24 * 3_600_000;
const SILENT: CodeCounts = { asked: 1, answered: 0, refused: 0, together: 1, leftOut: 0 };
const SPEAKING: CodeCounts = { ...SILENT, answered: 1 };
const SEVERAL_REFUSED: CodeCounts = { asked: 2, answered: 0, refused: 2, together: 2, leftOut: 0 };

let controlNumber = 0;

interface Codes {
  readonly dental?: CodeCounts;
  readonly medical?: CodeCounts;
}

/** A database with exchanges of payers. */
async function evidence() {
  const { store, connectionString, caller } = await aLiveAccount();
  const [inserted] = await insertRequests(store, [
    { caller, payerId: 'plan-1', input: aRequestFor('W1'), idempotencyKey: null },
  ]);
  if (inserted?.kind !== 'created') throw new Error('It was not stored.');
  const requestId = inserted.request.request_id ?? '';
  const exchangeOf = (payerId: string, codes: Codes) => ({
    requestId,
    accountId: caller.accountId,
    payerId,
    controlNumber: (controlNumber += 1),
    startedAt: new Date(),
    durationMs: 10,
    statusCode: 200,
    errorReason: null,
    payerCodes: [],
    inquiry: 'ISA~',
    answer: Buffer.from('ISA~'),
    inquiryNumber: 2,
    codes,
  });
  return {
    store,
    connectionString,
    /** Keeps answers of a payer, the latest last. */
    keep: async (payerId: string, ...answers: Codes[]) => {
      for (const codes of answers) await keepX12Exchanges(store, [exchangeOf(payerId, codes)]);
    },
    judge: async (payerId: string) => {
      const judged = await createCodeAnswers(store).judge(payerId, ['dental', 'medical']);
      return { systems: [...judged.systems].join(' '), isOneAtATime: judged.isOneAtATime };
    },
  };
}

const times = <T>(length: number, value: T) => Array.from({ length }, () => value);

// Without it every request pays for a question that this payer has not answered twenty times, or never for the first one.
test('codes of a list are asked for until twenty answers in a row speak of none', async () => {
  const { keep, judge } = await evidence();
  expect(await judge('new')).toEqual({ systems: 'dental medical', isOneAtATime: false });
  await keep('silent', ...times(19, { medical: SILENT }));
  expect((await judge('silent')).systems).toBe('dental medical');
  await keep('silent', { medical: SILENT });
  expect((await judge('silent')).systems).toBe('dental');
  await keep(
    'speaks',
    ...times(20, { medical: SILENT }),
    { medical: SPEAKING },
    ...times(19, { medical: SILENT }),
  );
  expect((await judge('speaks')).systems).toBe('dental medical');
});

// Payers learn to answer for codes; without it one that was silent in one week is never asked again.
test('they are tried again after thirty days, once until the answer is there', async () => {
  const { store, keep } = await evidence();
  await keep('back', ...times(20, { dental: SILENT }));
  let now = Date.now() + 29 * DAY_MS;
  const answers = createCodeAnswers(store, () => now);
  const isAsked = async () => (await answers.judge('back', ['dental'])).systems.has('dental');
  expect(await isAsked()).toBe(false);
  now += 2 * DAY_MS;
  expect(await isAsked()).toBe(true);
  expect(await isAsked()).toBe(false);
  answers.note('back', { dental: SPEAKING });
  expect(await isAsked()).toBe(true);
});

// Breaks if a payer that refuses two codes at once is asked for two each time, at three inquiries a request.
test('a payer that refused several codes and never answered several is asked for one', async () => {
  const { keep, judge } = await evidence();
  await keep('one', { medical: SEVERAL_REFUSED });
  expect((await judge('one')).isOneAtATime).toBe(true);
  await keep('one', ...times(20, { medical: { ...SPEAKING, leftOut: 1 } }));
  expect((await judge('one')).isOneAtATime).toBe(true);
  await keep('one', { medical: { ...SEVERAL_REFUSED, answered: 2, refused: 0 } });
  expect((await judge('one')).isOneAtATime).toBe(false);
  const both = { asked: 1, answered: 0, refused: 1, together: 2, leftOut: 0 };
  await keep('mixed', { dental: both, medical: both });
  expect((await judge('mixed')).isOneAtATime).toBe(false);
});

// A process learns of its own answers at once, and of the others' within a minute, without a statement for each request.
test('the database is read once a minute', async () => {
  const { store, keep } = await evidence();
  let now = Date.now();
  const answers = createCodeAnswers(store, () => now);
  const isAsked = async () => (await answers.judge('fresh', ['medical'])).systems.has('medical');
  expect(await isAsked()).toBe(true);
  await keep('fresh', ...times(20, { medical: SILENT }));
  expect(await isAsked()).toBe(true);
  for (const codes of times(20, { medical: SILENT })) answers.note('fresh', codes);
  expect(await isAsked()).toBe(false);
  await keep('fresh', { medical: SPEAKING });
  now += 61_000;
  expect(await isAsked()).toBe(true);
});

// Without an index a payer's last twenty are looked for among the exchanges of 400 days.
test('reads its index, and no row of another payer', async () => {
  const { connectionString } = await evidence();
  const plan = await rows<{ 'QUERY PLAN': string }>(
    connectionString,
    `explain select dental_codes from x12_exchange where payer_id = 'new' and dental_codes is not null
     order by recorded_at desc limit 20`,
  );
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(text).toMatch(/Index Scan.* x12_exchange_dental/);
});
