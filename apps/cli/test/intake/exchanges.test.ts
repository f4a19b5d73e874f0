import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator } from '@insurance-verification/payer-simulator';
import type { VerificationProof, X12ExchangeList } from '@insurance-verification/schema';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { until } from '@insurance-verification/testing/until';
import { useInFile } from '@insurance-verification/testing/use-in-file';
import { expect, test } from 'vitest';
import { aStoredRequest } from '../a-request.ts';
import { aService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const simulator = useInFile(() => startSimulator());
const service = useInFile(async () => {
  const payers = [1, 2, 3, 4].map((number) => ({
    id: `plan-${number}`,
    name: `Payer Plan ${number}`,
    channels: number === 1 ? ['api', 'manual_phone_call'] : ['manual_phone_call'],
    ...(number === 1 && {
      x12: { url: simulator().url, sender_id: 'IVSERVICE', receiver_id: 'SIMULATOR', test: true },
    }),
  }));
  const payersFile = join(aFolder(), 'payers.json');
  writeFileSync(payersFile, JSON.stringify({ payers }));
  const { connectionString } = await createTestDatabase();
  return aService({ databaseUrl: connectionString, env: { PAYERS_FILE: payersFile } });
});

// Breaks if an operator on the phone with a payer cannot read out both sides of an exchange.
test('exchanges shows the 270 and the 271, a line for each segment; --json shows them as they are', async () => {
  const env = naming(service());
  const { request_id } = await aStoredRequest(service());
  const args = ['requests', 'exchanges', request_id];
  await until('the payer was asked', async () => (await ivJson<X12ExchangeList>(args, env)).items.length > 0);
  const { items } = await ivJson<X12ExchangeList>(args, env);
  expect(items[0]?.inquiry).toMatch(/^ISA\*00\*.*~IEA\*1\*\d{9}~$/);
  expect(items[0]?.answer).toMatch(/^ISA/);
  const shown = await iv(args, env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout).toMatch(/^control_number +\d+\npayer_id +plan-1\n/);
  expect(shown.stdout).toMatch(/\ninquiry\n {2}ISA\*.*~\n {2}GS\*HS\*/);
  expect(shown.stdout).toMatch(/\nanswer\n {2}ISA/);
}, 60_000);

test('a request about which no payer was asked has none; an unknown one ends with 1', async () => {
  const env = naming(service());
  const { request_id } = await aStoredRequest(service(), { payer_info: { name: 'Payer Plan 2' } });
  expect(await iv(['requests', 'exchanges', request_id], env)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'No exchanges: no payer was asked over X12 for this request.\n',
  });
  const missing = await iv(['requests', 'exchanges', 'req_none'], env);
  expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
});

test('benefits shows a line for each row of the payer’s answer, and what was not answered', async () => {
  const env = naming(service());
  const { request_id } = await aStoredRequest(service(), {
    patient_info: { subscriber_id: 'SIM-MEDICAL', dob: '1984-05-17', name: 'Jane Doe' },
    cpt_code_coverage: ['99213'],
  });
  const args = ['requests', 'benefits', request_id];
  await until('the payer answered', async () => (await iv(args, env)).exitCode === 0);
  const shown = await iv(args, env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout).toMatch(/^plan +GOLD PPO 1500\nstatus +Active\ngroup +70112\n/);
  expect(shown.stdout).toMatch(/\nunanswered +99213\n/);
  expect(shown.stdout).toMatch(
    /Co-payment +Office visit, at: Office +in +individual +\$50\.00 +visit .*SPECIALIST/,
  );
  const missing = await iv([...args, '--result-version', '2'], env);
  expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
  expect(missing.stderr).toMatch(/no result/i);
}, 60_000);

test('proof shows who was asked, what was answered, and what others can check; an operator gets no patient', async () => {
  const env = naming(service());
  const { request_id } = await aStoredRequest(service(), {
    patient_info: { subscriber_id: 'SIM-MEDICAL', dob: '1984-05-17', name: 'Jane Doe' },
    cpt_code_coverage: ['99213'],
  });
  const args = ['requests', 'proof', request_id];
  await until('the payer answered', async () => (await iv(args, env)).exitCode === 0);
  const shown = await iv(args, env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout).toMatch(
    /^patient +Jane Doe\nborn +1984-05-17\nmember_id +SIM-MEDICAL\npayer +Payer Plan 1\n/,
  );
  expect(shown.stdout).toMatch(/\nprocedures +99213\n/);
  expect(shown.stdout).toMatch(/\nstatus +Active\nplan +GOLD PPO 1500\n/);
  expect(shown.stdout).toMatch(/Co-payment +Office visit, at: Office .*SPECIALIST/);
  expect(shown.stdout).toMatch(/\nverified_by +the payer's API\nfrom +20.*\nto +20.*\nchannel +api\n/);
  expect(shown.stdout).toMatch(/\nsha256 +[\da-f]{64}\nseal +(not sealed yet|\d+ at 20.*Z)\n$/);
  const { digest } = await ivJson<VerificationProof>(args, env);
  expect(shown.stdout).toContain(digest);
  const missing = await iv(['requests', 'proof', 'req_none'], env);
  expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
  const { client, url } = service();
  const { account_id } = await client.accounts.create({ name: 'Operators', kind: 'platform' });
  const { key: apiKey } = await client.keys.create({ account_id, scopes: ['operate'] });
  const masked = await iv(args, naming({ url, apiKey }));
  expect(masked.stderr).toBe('Without the patient: this key looks after requests of others.\n');
  expect(masked.stdout).toMatch(/^patient +-\n/);
  expect(masked.stdout).not.toMatch(/Jane|SIM-MEDICAL|SPECIALIST/);
}, 60_000);
