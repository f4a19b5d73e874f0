import { DEFAULT_PAYERS, PROBLEMS } from '@insurance-verification/schema';
import { expect, test, vi } from 'vitest';
import { keepLease, leaseOf } from '../../src/verification/keep-lease.ts';
import { aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { CTRL_C, DELETE, DOWN, ENTER, ESC, startNext, UP } from './a-verifier-terminal.ts';

vi.setConfig({ testTimeout: 120_000 });
/** The shortest lease allowed: a lapsed lease is part of a verifier's day. */
const service = useService({ WORK_LEASE_SECONDS: '5' });

const aPending = async (codes: string[] | null = null) =>
  (await aStoredRequest(service(), { cpt_code_coverage: codes })).request_id;
const attempts = async (request_id: string) =>
  (await service().client.requests.attempts({ request_id })).items;
const resultOf = (request_id: string) => service().client.requests.result({ request_id });
const close = (request_id: string) => service().client.requests.close({ request_id, reason: 'withdrawn' });

/** The answers for a coverage without codes, up to the summary. */
const RESULT: readonly (readonly [RegExp, string])[] = [
  [/What came of it/, `1${ENTER}`],
  [/Eligibility/, `2${ENTER}`],
  [/Plan name/, `PPO Silver${ENTER}`],
  [/First day of coverage/, ENTER],
  [/Last day of coverage/, ENTER],
  [/Patient as the payer has them/, `1${ENTER}`],
  [/What else the payer said/, ENTER],
  [/Reference number/, `CALL-1${ENTER}`],
  [/Note for colleagues/, ENTER],
];

// Scripted stdin is no terminal: without raw mode, arrow keys, redrawn lines and Ctrl-C take other code paths.
test('a person verifies a request at a terminal, sees all of it again, and changes a field', async () => {
  const another = await aPending();
  const requestId = await aPending(['D0120', 'D1110', 'D2740']);
  const next = startNext(service(), ['--request', requestId]);
  const shown = await next.seen(/What came of it/);
  expect(shown).toMatch(/^request_id +req_/m);
  expect(shown).toMatch(/^waiting +\d+ s\s*$/m);
  expect(shown).toMatch(/^lease +to \d\d:\d\d, renewed while you work\s*$/m);
  expect(shown).toMatch(/^queue +1 more waiting\s*$/m);
  expect(shown).toMatch(/leased to \d\d:\d\d, renewed by itself · 1 waiting/);
  await close(another);
  next.type(`${DOWN}${ENTER}`);
  await next.answer(/Eligibility/, `${DOWN}${DOWN}${ENTER}`);
  await next.answer(/Plan name/, `PPO Silber${DELETE.repeat(3)}ver${ENTER}`);
  await next.answer(/First day of coverage/, `31.12.2026${ENTER}`);
  await next.answer(/Expected a day as/, `${DELETE.repeat(10)}2026-06-01${ENTER}`);
  await next.answer(/Last day of coverage/, `2026-01-31${ENTER}`);
  await next.answer(/before the first day, 2026-06-01/, `${DELETE.repeat(10)}2026-12-31${ENTER}`);
  await next.answer(/Procedure codes/, `cn${ENTER}`);
  await next.answer(/Patient as the payer has them/, `${DOWN}${ENTER}`);
  await next.answer(/What else the payer said/, `Deductible met.${ENTER}`);
  await next.answer(/Reference number/, ENTER);
  await next.answer(/Note for colleagues/, ENTER);
  const summary = await next.seen(/Is that right/);
  expect(summary).toContain(`Jane Doe, W123456789, 1984-05-17, at ${DEFAULT_PAYERS[0]}:`);
  expect(summary).toMatch(/Eligibility +Inactive/);
  expect(summary).toMatch(/Procedure codes +D0120 covered, D1110 not covered, D2740 not told/);
  next.type(`Change${ENTER}`);
  await next.answer(/Which field/, `2${ENTER}`);
  await next.answer(/❯ 2. Inactive/, `1${ENTER}`);
  await next.answer(/Eligibility +Active[^]*Is that right/, `1${ENTER}`);
  const { exitCode, cursorIsShown, text } = await next.ended();
  expect([exitCode, cursorIsShown], text).toEqual([0, true]);
  expect(text).toContain('The result was accepted and is on its way to the provider.');
  expect(await resultOf(requestId)).toMatchObject({
    insurance_data: [
      {
        notes: 'Deductible met.\nNot covered: D1110.',
        plan_info: {
          plan_name: 'PPO Silver',
          eligibility_status: 'Active',
          start_date: '2026-06-01',
          end_date: '2026-12-31',
          cpt_code_coverage: ['D0120'],
        },
      },
    ],
  });
});

// Broke: eleven Enters handed in that the patient is covered.
test('Enter alone says nothing of a patient', async () => {
  const requestId = await aPending();
  const next = startNext(service());
  await next.answer(/What came of it/, ENTER);
  await next.answer(/Nothing is marked/, `1${ENTER}`);
  await next.answer(/Eligibility/, ENTER);
  await next.answer(/Nothing is marked/, `Inact${ENTER}`);
  for (const question of [/Plan name/, /First day/, /Last day/, /as the payer has them/])
    await next.answer(question, ENTER);
  await next.answer(/Nothing is marked/, `1${ENTER}`);
  for (const question of [/What else/, /Reference/, /Note for/, /Is that right/])
    await next.answer(question, ENTER);
  await next.answer(/Nothing is marked/, CTRL_C);
  expect((await next.ended()).exitCode).toBe(1);
  expect(await service().client.requests.get({ request_id: requestId })).toMatchObject({ state: 'pending' });
  await close(requestId);
});

test('Esc and ↑ go back to the question before, and its answer is kept', async () => {
  const requestId = await aPending();
  const next = startNext(service());
  await next.answer(/What came of it[^]*Esc: back\s+manual_web_portal, leased to \d\d:\d\d/, `1${ENTER}`);
  await next.answer(/Eligibility/, ESC);
  await next.answer(/❯ 1. The payer answered/, ENTER);
  await next.answer(/Eligibility/, `1${ENTER}`);
  await next.answer(/Plan name/, `Gold${ENTER}`);
  await next.answer(/First day/, UP);
  await next.answer(/Plan name[^]*Gold/, ` Plus${UP}`);
  await next.answer(/❯ 1. Active/, UP);
  await next.answer(/❯ 1. The payer answered/, ENTER);
  await next.answerAll(RESULT.slice(3));
  // Going back discards the unfinished answer.
  await next.answer(/Plan name +Gold\s[^]*Is that right/, ESC);
  await next.answer(/Note for colleagues/, `Ask Kim.${ENTER}`);
  await next.answer(/Note for colleagues.* +Ask Kim\.[^]*Is that right/, `1${ENTER}`);
  expect((await next.ended()).exitCode).toBe(0);
  expect(await resultOf(requestId)).toMatchObject({ insurance_data: [{ plan_info: { plan_name: 'Gold' } }] });
});

// Broke: each question that was left stood there with its help and its footer, as if it still waited.
test('a question that is left is wiped, and one that is answered stays', async () => {
  const requestId = await aPending();
  const next = startNext(service());
  await next.answer(/What came of it/, `1${ENTER}`);
  await next.answer(/Eligibility/, `1${ENTER}`);
  await next.answer(/Plan name/, UP);
  await next.answer(/❯ 1. Active/, UP);
  await next.seen(/❯ 1. The payer answered/);
  const lines = (await next.screen()).filter((line) => /^[?✔]|Esc: back|renewed by itself/.test(line));
  expect(lines).toEqual([
    expect.stringMatching(/^✔ What came of it/),
    expect.stringMatching(/^✔ Eligibility/),
    expect.stringMatching(/^\? What came of it/),
    expect.stringContaining('Esc: back'),
    expect.stringContaining('renewed by itself'),
  ]);
  next.type(CTRL_C);
  expect((await next.ended()).exitCode).toBe(1);
  expect((await next.screen()).join('\n')).not.toContain('Esc: back');
  await close(requestId);
});

// Broke: the terminal echoed them, and a line of zzz stood between two questions.
test('keys that no question asked for are neither shown nor answer the next one', async () => {
  const next = startNext(service(), ['--loop']);
  await next.seen(/Waiting for the next; Ctrl-C ends/);
  next.type(`zzz1${ENTER}`);
  const requestId = await aPending();
  await next.answer(/What came of it/, ENTER);
  await next.seen(/Nothing is marked/);
  expect((await next.screen()).join('\n')).not.toContain('zzz');
  next.type(CTRL_C);
  expect(await next.ended()).toMatchObject({ exitCode: 1, cursorIsShown: true });
  await close(requestId);
});

test('after a refusal only the refused field is asked, by name, and a second coverage can be added', async () => {
  const requestId = await aPending();
  const next = startNext(service());
  await next.answerAll(RESULT.slice(0, 5));
  await next.answer(/Patient as the payer has them/, `2${ENTER}`);
  await next.answer(/Member id as the payer has it/, `Z999${ENTER}`);
  await next.answer(/Date of birth as the payer has it/, ENTER);
  await next.answerAll(RESULT.slice(6));
  await next.answer(/Is that right/, `1${ENTER}`);
  await next.answer(/Refused: Member id .*: The entry must be about the patient of the request\./, ENTER);
  await next.answer(/Date of birth as the payer has it/, `1984-05-17${ENTER}`);
  const summary = await next.seen(/Is that right/);
  expect(summary).not.toMatch(/\? (Eligibility|Plan name)/);
  expect(summary).toMatch(/Plan name +PPO Silver/);
  next.type(`Add${ENTER}`);
  await next.answer(/Coverage 2: Eligibility/, `3${ENTER}`);
  await next.answer(/Coverage 2: Plan name/, `Vision${ENTER}`);
  await next.answer(/Coverage 2: First day/, ENTER);
  await next.answer(/Coverage 2: Last day/, ENTER);
  await next.answer(/Coverage 2: Patient/, `1${ENTER}`);
  await next.answer(/Coverage 2: What else/, ENTER);
  await next.answer(/Coverage 1: Plan name[^]*Coverage 2: Plan name[^]*Is that right/, `1${ENTER}`);
  expect((await next.ended()).exitCode).toBe(0);
  expect(await resultOf(requestId)).toMatchObject({
    insurance_data: [
      { patient_info: { subscriber_id: 'Z999', dob: '1984-05-17' }, plan_info: { plan_name: 'PPO Silver' } },
      { patient_info: { subscriber_id: 'W123456789' }, plan_info: { plan_name: 'Vision' } },
    ],
  });
});

// A laptop that slept through its lease must not cost half an hour on the phone.
test('a lease that was lost is taken again, and the answers are kept', async () => {
  const requestId = await aPending();
  const next = startNext(service());
  await next.answerAll(RESULT.slice(0, 3));
  await next.seen(/First day/);
  next.kill('SIGSTOP');
  const ofAttempt = async (at: number) => (await attempts(requestId)).at(at)?.outcome;
  await expect.poll(() => ofAttempt(0), { timeout: 30_000 }).toBe('lease_expired');
  const channels = ['manual_web_portal' as const];
  const rival = await service().client.work.claimRequest({ request_id: requestId, channels });
  const rivals = keepLease(service().client, rival); // however slow the machine is
  next.kill('SIGCONT');
  const told = await next.seen(/Try to lease it again/);
  expect(told).toContain('The lease was lost. Someone is working on the request;');
  expect(told).toMatch(/Plan name +PPO Silver/);
  rivals.end();
  await service().client.work.release(leaseOf(rival));
  next.type(`1${ENTER}`);
  await next.answer(/leased to you again, for manual_web_portal; your answers are kept[^]*First day/, ENTER);
  await next.answerAll(RESULT.slice(4));
  await next.answer(/Plan name +PPO Silver[^]*Is that right/, `1${ENTER}`);
  const { exitCode, text } = await next.ended();
  expect(exitCode, text).toBe(0);
  expect(await resultOf(requestId)).toMatchObject({
    insurance_data: [{ plan_info: { plan_name: 'PPO Silver' } }],
  });
});

// Broke: a finding from a portal was handed in as told on the phone.
test('a lost lease is not taken again for another channel', async () => {
  const requestId = await aPending();
  const next = startNext(service());
  await next.answerAll(RESULT.slice(0, 3));
  await next.seen(/First day/);
  next.kill('SIGSTOP');
  const ofAttempt = async (at: number) => (await attempts(requestId)).at(at)?.outcome;
  await expect.poll(() => ofAttempt(0), { timeout: 30_000 }).toBe('lease_expired');
  const channels = ['manual_web_portal' as const];
  const rival = await service().client.work.claimRequest({ request_id: requestId, channels });
  const failure = { error_reason: 'portal_maintenance' as const, note: null, reference: null, final: false };
  const { next_channel } = await service().client.work.fail({ ...leaseOf(rival), ...failure });
  expect(next_channel).toBe('manual_phone_call');
  next.kill('SIGCONT');
  const told = await next.seen(/Try to lease it again/);
  expect(told).toContain(`The lease was lost. ${PROBLEMS.request_not_claimable.sentence}`);
  expect(told).toMatch(/Plan name +PPO Silver/);
  next.type(`2${ENTER}`);
  const { exitCode, text } = await next.ended();
  expect(exitCode, text).toBe(1);
  expect((await attempts(requestId)).map(({ channel }) => channel)).not.toContain('manual_phone_call');
  await close(requestId);
});

test('a request that someone else has finished meanwhile ends it, and shows what was answered', async () => {
  const requestId = await aPending();
  const next = startNext(service());
  await next.answerAll(RESULT.slice(0, 3));
  await next.seen(/First day/);
  await close(requestId);
  const { exitCode, text } = await next.ended();
  expect(exitCode).toBe(1);
  expect(text).toMatch(/The lease was lost\. The request already has an outcome; nothing was changed\./);
  expect(text).toMatch(/Plan name +PPO Silver[^]*Nothing was handed in\./);
});

test('--loop goes on with the next request until Ctrl-C, and ends well where there is none', async () => {
  const ids = [await aPending(), await aPending()];
  const next = startNext(service(), ['--loop']);
  for (const _id of ids) {
    await next.answerAll(RESULT);
    await next.answer(/Is that right/, `1${ENTER}`);
  }
  await next.answer(/The result was accepted[^]*Waiting for the next; Ctrl-C ends/, CTRL_C);
  expect(await next.ended()).toMatchObject({ exitCode: 0, cursorIsShown: true });
  for (const id of ids) expect(await resultOf(id)).toMatchObject({ request: { state: 'complete' } });
});

test('what was answered can be given back instead, with a word to the next verifier', async () => {
  const requestId = await aPending();
  const next = startNext(service());
  await next.answerAll(RESULT);
  await next.answer(/Is that right/, `Give${ENTER}`);
  await next.answer(/Why, for the next verifier/, `They call back at noon.${ENTER}`);
  const { exitCode, text } = await next.ended();
  expect([exitCode, text]).toEqual([0, expect.stringContaining('It is in the queue again.')]);
  expect(await attempts(requestId)).toMatchObject([{ outcome: 'released', note: 'They call back at noon.' }]);
  await close(requestId);
});

test('Ctrl-C at a question gives the request back', async () => {
  const requestId = await aPending();
  const next = startNext(service());
  await next.answer(/What came of it/, `2${ENTER}`);
  await next.answer(/Why\?/, CTRL_C);
  const { exitCode, cursorIsShown, text } = await next.ended();
  expect([exitCode, cursorIsShown]).toEqual([1, true]);
  expect(text).toContain('The request is in the queue again.');
  expect(await attempts(requestId)).toMatchObject([{ outcome: 'released' }]);
  await close(requestId);
});

// A closed window or a stopped session would block the request for everybody else until the lease expires.
test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s gives the request back', async (signal) => {
  const requestId = await aPending();
  const next = startNext(service());
  await next.seen(/What came of it/);
  next.kill(signal);
  const { exitCode, cursorIsShown, text } = await next.ended();
  expect([exitCode, cursorIsShown]).toEqual([1, true]);
  expect(text).toContain('The request is in the queue again.');
  expect(await attempts(requestId)).toMatchObject([{ outcome: 'released' }]);
  await close(requestId);
});
