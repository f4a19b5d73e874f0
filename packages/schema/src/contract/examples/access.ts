import type { Account } from '../../access/account.ts';
import { EXAMPLE_IDS } from './ids.ts';

/** The provider that posts the example's requests. */
export const exampleAccount: Account = {
  account_id: EXAMPLE_IDS.account,
  name: 'Main Street Dental',
  kind: 'provider',
  mode: 'live',
  created_at: '2026-11-02T08:00:00.000Z',
  suspended_at: null,
  retention_days: null,
  retention_asked: null,
};
