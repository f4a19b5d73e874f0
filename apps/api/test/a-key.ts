import type { Account, CreatedApiKey, Scope } from '@insurance-verification/schema';
import { type TestService } from './a-service.ts';

/** An account created by the operator. */
export function anAccount(service: TestService, changes: Partial<Account> = {}): Promise<Account> {
  return service.answer('POST', '/accounts', { name: 'Main Street Dental', ...changes });
}

/** A key's text: of a new account, unless one is given. */
export async function aKey(
  service: TestService,
  scopes: Scope[] = ['requests'],
  accountId?: string,
): Promise<string> {
  const kind = scopes.every((scope) => scope === 'requests' || scope === 'secrets') ? 'provider' : 'platform';
  const account_id = accountId ?? (await anAccount(service, { kind })).account_id;
  const { key } = await service.answer<CreatedApiKey>('POST', '/keys', { account_id, scopes });
  return key;
}
