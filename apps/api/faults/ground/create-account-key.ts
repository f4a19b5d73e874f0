import type { Account, CreatedApiKey } from '@insurance-verification/schema';
import { answerOf } from './ask.ts';

/** A new account's API key. Its webhooks are signed with a secret of its own. */
export async function createAccountKey(url: string): Promise<string> {
  const account = await answerOf<Account>('POST', `${url}/accounts`, {
    body: { name: 'Fault Clinic', kind: 'provider' },
  });
  const { key } = await answerOf<CreatedApiKey>('POST', `${url}/keys`, {
    body: { account_id: account.account_id, scopes: ['requests'] },
  });
  return key;
}
