import { Scope } from '@insurance-verification/schema';
import { aKey, anAccount } from '../a-key.ts';
import type { TestService } from '../a-service.ts';
import { BEHIND_A_PROXY } from '../staff/a-session.ts';

// As in production, only keyed senders are trusted; these tests send more outputs than a stranger may in a minute.
// Nothing but a call changes anything: no worker that delivers or verifies runs, and no lease lapses.
export const CALLS_ALONE = {
  ...BEHIND_A_PROXY,
  ROLES: 'http',
  VERIFICATION_OUTPUT_TRUST: 'keyed',
  ANONYMOUS_OUTPUT_LIMIT: '10000',
  WORK_LEASE_SECONDS: '3600',
};

/** A test account that redelivers as often as it is asked, with a key that has every scope. */
export async function aTestAccount(service: TestService) {
  const { account_id: testAccountId } = await anAccount(service, { kind: 'platform', mode: 'test' });
  const testKey = await aKey(service, [...Scope.options], testAccountId);
  await service.answer('POST', `/accounts/${testAccountId}/limits`, {
    policies: { 'redeliver-exhausted': { quota: 1_000, window_seconds: 60 } },
  });
  return { testKey, testAccountId };
}
