import type { Erasure, LegalHold } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService();

// Breaks if an operator cannot ask for an erasure from a script, or see whether it was confirmed.
test('an erasure is asked for, listed and shown; asked for again it is the same', async () => {
  const env = naming(service());
  const { request_id } = await aStoredRequest(service());
  const erase = ['requests', 'erase', request_id, '--reason', 'wrong_patient'];
  const asked = await ivJson<Erasure>(erase, env);
  expect(await ivJson<Erasure>(erase, env)).toEqual(asked);
  expect((await iv(['erasures', 'list'], env)).stdout).toContain(asked.erasure_id);
  const shown = await iv(['erasures', 'show', request_id], env);
  expect(shown.stdout).toMatch(/^reason +wrong_patient$/m);
  expect(shown.stdout).toMatch(/^to confirm until +\d{4}-/m);
  expect(await iv(['erasures', 'show', 'req_x'], env)).toMatchObject({ exitCode: 1, stdout: '' });
});

test('a hold is placed, named where it refuses, listed, shown with the retention, and ended', async () => {
  const env = naming(service());
  const { request_id } = await aStoredRequest(service());
  const place = ['holds', 'place', '--request', request_id, '--reason', 'Doe v. Clinic'];
  const hold = await ivJson<LegalHold>(place, env);
  const refused = await iv(['requests', 'erase', request_id, '--reason', 'wrong_patient'], env);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(hold.hold_id) });
  const { account_id: accountId } = hold;
  const ofAccount = ['holds', 'place', '--account', accountId, '--reason', 'All of it'];
  const whole = await ivJson<LegalHold>(ofAccount, env);
  expect((await iv(['holds', 'list'], env)).stdout).toMatch(/Doe v\. Clinic/);
  const retention = await iv(['accounts', 'retention', accountId], env);
  expect(retention.stdout).toContain(`held since ${whole.placed_at} by hold ${whole.hold_id}`);
  for (const { hold_id } of [hold, whole])
    expect((await iv(['holds', 'end', hold_id], env)).stdout).toMatch(/^ended +\d{4}-/m);
});

test('a hold of nothing is wrong usage', async () => {
  const answer = await iv(['holds', 'place', '--reason', 'x'], naming(service()));
  expect(answer).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--request req_…') });
});
