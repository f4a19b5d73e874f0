import type { VerificationAttemptList } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService();

// Breaks if an operator cannot see why a request still waits, or who must act.
test('attempts shows who tried, why it failed and who must act, for people and as JSON', async () => {
  const env = naming(service());
  const { request_id } = await aStoredRequest(service());
  expect(await iv(['requests', 'attempts', request_id], env)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'No attempts: no verifier has taken the request yet.\n',
  });

  const { work } = service().client;
  const { items } = await work.claim({ channels: ['manual_web_portal'] });
  const lease_token = items[0]?.lease_token ?? '';
  // Breaks if a verifier's note controls the operator's terminal.
  const note = `Asked for a code\u001b[2J${' that no one has'.repeat(10)}`;
  await work.fail({ request_id, lease_token, error_reason: 'portal_two_factor', note });

  const shown = await iv(['requests', 'attempts', request_id], env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout).toMatch(
    /^ATTEMPT +CHANNEL +OUTCOME +ERROR_REASON +FIXED_BY +STARTED +ENDED +REFERENCE +NOTE\n/,
  );
  expect(shown.stdout).toMatch(
    /\n1 +manual_web_portal +failed +portal_two_factor +us +\S+Z +\S+Z +- +Asked for a code/,
  );
  expect(shown.stdout).not.toContain('\u001b');
  const asJson = await ivJson<VerificationAttemptList>(['requests', 'attempts', request_id], env);
  expect(asJson).toEqual(await service().client.requests.attempts({ request_id }));
  expect(asJson.items).toMatchObject([{ note, error_reason: 'portal_two_factor' }]);
});

test('attempts of an unknown id ends with 1', async () => {
  const missing = await iv(['requests', 'attempts', 'req_none'], naming(service()));
  expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
  expect(missing.stderr).toContain('Not found (404): there is no request req_none');
});
