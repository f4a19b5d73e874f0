import type { Account, CreatedApiKey } from '@insurance-verification/schema';
import { answerOf } from './ask.ts';

/** The API key of a new account, whose webhooks are signed with its own secret. */
export async function createAccountKey(url: string): Promise<string> {
  const account = await answerOf<Account>('POST', `${url}/accounts`, {
    body: { name: 'Fault Clinic', kind: 'provider' },
  });
  const { key } = await answerOf<CreatedApiKey>('POST', `${url}/keys`, {
    body: { account_id: account.account_id, scopes: ['requests'] },
  });
  return key;
}
