import type { HeldOutputDetail, HeldOutputList } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { aHeldOutput, aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService();

// Breaks if an operator cannot see which outputs are held, and their content.
test('list and show print what is held', async () => {
  const env = naming(service());
  const heldId = await aHeldOutput(service(), 'held-1');
  const listed = await iv(['held', 'list'], env);
  expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(listed.stdout).toMatch(/^HELD_ID +REASON +REQUEST_ID +RECEIVED\n/);
  expect(listed.stdout).toContain(`${heldId}  input_mismatch  `);
  const { items } = await ivJson<HeldOutputList>(['held', 'list', '--all'], env);
  expect(items.map(({ held_id }) => held_id)).toContain(heldId);

  const shown = await iv(['held', 'show', heldId], env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout).toMatch(/^status +held$/m);
  expect(shown.stdout).toMatch(/^says subscriber_id +held-1$/m);
  expect(shown.stdout).toMatch(
    /^Active +Gold PPO +Payer Plan 1 +2026-01-01 +- +D0120 D1110 +manual_web_portal$/m,
  );
  const detail = await ivJson<HeldOutputDetail>(['held', 'show', heldId], env);
  expect(detail.output.request.input.patient_info.subscriber_id).toBe('held-1');
});

// Breaks if a result held by mistake cannot be used.
test('apply applies it to a named request, once', async () => {
  const env = naming(service());
  const heldId = await aHeldOutput(service(), 'held-2');
  const { request_id } = await aStoredRequest(service());
  const unknown = await iv(['held', 'apply', heldId, '--request', 'req_none'], env);
  expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
  expect(unknown.stderr).toContain('body.request_id: There is no request with this id (request_not_found)');

  const applied = await iv(['held', 'apply', heldId, '--request', request_id], env);
  expect(applied).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: `held_id  ${heldId}\nstatus   applied\nversion  1\n`,
  });
  const again = await iv(['held', 'apply', heldId, '--request', request_id, '--json'], env);
  expect(again).toMatchObject({ exitCode: 1, stdout: '' });
  expect(again.stderr).toContain('The held output was already applied or dismissed. (409)');
});

// Breaks if an unwanted output cannot be dismissed.
test('dismiss puts it away with a note', async () => {
  const env = naming(service());
  const heldId = await aHeldOutput(service(), 'held-3');
  const dismissed = await ivJson(['held', 'dismiss', heldId, '--note', 'sent twice'], env);
  expect(dismissed).toEqual({ held_id: heldId, status: 'dismissed' });
  expect((await iv(['held', 'show', heldId], env)).stdout).toMatch(/^note +sent twice$/m);
  const again = await iv(['held', 'dismiss', heldId], env);
  expect(again).toMatchObject({ exitCode: 1, stdout: '' });
});

// Breaks if an operator must page through a flood to find a verifier's correction.
test('list prints what is held for one reason only', async () => {
  const env = naming(service());
  const heldId = await aHeldOutput(service(), 'held-4');
  const of = (reason: string) => ivJson<HeldOutputList>(['held', 'list', '--all', '--reason', reason], env);
  expect((await of('input_mismatch')).items.map(({ held_id }) => held_id)).toContain(heldId);
  expect(await of('untrusted')).toEqual({ items: [], next_cursor: null });
  const past = ['held', 'list', '--until', '2026-01-01T00:00:00Z'];
  expect(await ivJson<HeldOutputList>(past, env)).toEqual({ items: [], next_cursor: null });
  const page = await iv(['held', 'list', '--limit', '1', '--reason', 'input_mismatch'], env);
  expect(page.stderr).toMatch(
    /^There is more: iv held list --limit 1 --reason input_mismatch --cursor held_/,
  );
});

// Breaks if the outputs of a flood must be dismissed one by one.
test('dismiss-many puts away all of a reason, up to a limit', async () => {
  const env = naming(service());
  await aHeldOutput(service(), 'held-5');
  const heldId = await aHeldOutput(service(), 'held-6');
  const many = ['held', 'dismiss-many', '--reason', 'input_mismatch', '--note', 'a flood'];
  expect(await ivJson([...many, '--before', '2026-01-01T00:00:00Z'], env)).toEqual({
    dismissed: 0,
    more: false,
  });
  expect(await iv([...many, '--limit', '1'], env)).toEqual({
    exitCode: 0,
    stdout: 'dismissed  1\n',
    stderr: 'There are more: run it again.\n',
  });
  expect((await ivJson<{ more: boolean }>(many, env)).more).toBe(false);
  expect((await iv(['held', 'show', heldId], env)).stdout).toMatch(/^note +a flood$/m);
  const refused = await iv([...many, '--before', 'yesterday'], env);
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain('body.received_before: ');
});

test.each([['show'], ['apply'], ['dismiss']])('%s of an unknown id ends with 1', async (name) => {
  const missing = await iv(['held', name, 'held_none'], naming(service()));
  expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
  expect(missing.stderr).toContain('there is no held output held_none, or this API key may not see it.');
});
