import {
  type Caller,
  createApiKey,
  findApiKey,
  listAccounts,
  listApiKeys,
  resumeAccount,
  revokeApiKey,
  rotateWebhookSecret,
  setAccountLimits,
  type Store,
  suspendAccount,
  takeRateBudget,
} from '../../src/index.ts';
import { aWebhookSecret } from '../ground/stages.ts';

/** Gives an account its secret, keys and limits; answers a key that works. */
export async function openAccount(
  store: Store,
  { caller, operator }: { readonly caller: Caller; readonly operator: Caller },
): Promise<string> {
  const { accountId } = caller;
  for (const next of [aWebhookSecret(), aWebhookSecret()]) await rotateWebhookSecret(store, { caller, next });
  const keys: { readonly key_id: string; readonly key: string }[] = [];
  for (const name of ['Front desk', null]) {
    const order = { caller: operator, accountId, scopes: ['requests' as const], name, expiresAt: undefined };
    const made = await createApiKey(store, order);
    if (made.kind !== 'created') throw new Error('The key was not made.');
    keys.push(made.key);
  }
  const [kept, revoked] = keys;
  if (!kept || !revoked) throw new Error('Two keys were made.');
  await revokeApiKey(store, { caller: operator, keyId: revoked.key_id });
  await suspendAccount(store, { caller: operator, accountId });
  await findApiKey(store, kept.key);
  await resumeAccount(store, { caller: operator, accountId });
  await listApiKeys(store, { caller: operator, limit: 10 });
  await listAccounts(store, { caller: operator, limit: 10 });
  await setAccountLimits(store, {
    caller: operator,
    accountId,
    quotas: { intake: { quota: 100, windowSeconds: 60 } },
    allowedCidrs: ['192.0.2.0/24'],
  });
  await takeRateBudget(store, {
    policy: 'intake',
    subject: '192.0.2.1',
    isAddress: true,
    quota: 100,
    windowSeconds: 60,
    need: 1,
    want: 5,
    owed: 0,
  });
  return kept.key;
}
