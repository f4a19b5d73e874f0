import { type Caller, createAccount, type Store } from '@insurance-verification/store';

/** A platform key's caller. */
export const PLATFORM: Caller = {
  keyId: 'key_00000000000000000000000001',
  accountId: 'acct_bench',
  mode: 'live',
  acrossAccounts: true,
};

/** The accounts of a volume: one has 30 % of all requests, one ten, the others equal shares. */
export interface Accounts {
  readonly large: Caller;
  readonly small: Caller;
  readonly others: readonly Caller[];
}

export async function createAccounts(store: Store, count: number): Promise<Accounts> {
  const made: Caller[] = [];
  for (let index = 0; index < count; index += 1) made.push(await anAccount(store));
  const [large, small, ...others] = made;
  if (!large || !small || others.length === 0) throw new Error('There are at least three accounts.');
  return { large, small, others };
}

async function anAccount(store: Store): Promise<Caller> {
  const made = await createAccount(store, {
    caller: PLATFORM,
    name: 'Clinic',
    kind: 'provider',
    mode: 'live',
    webhookSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  });
  if (made.kind !== 'created') throw new Error('A live caller reaches every account.');
  const { account_id: accountId } = made.account;
  return { keyId: `key_${accountId.slice(5)}`, accountId, mode: 'live', acrossAccounts: false };
}
