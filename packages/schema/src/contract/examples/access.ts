import type { AccountLimits } from '../../access/accounts/account-limits.ts';
import type { Account } from '../../access/accounts/account.ts';
import type { AccountRetention } from '../accounts.ts';
import type { ApiKey } from '../keys.ts';
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

/** The key that it posts them with. */
export const exampleKey: ApiKey = {
  key_id: EXAMPLE_IDS.key,
  account_id: EXAMPLE_IDS.account,
  account_name: 'Main Street Dental',
  name: 'Practice software',
  prefix: 'ivk_live_5f0c',
  scopes: ['requests'],
  created_at: '2026-11-02T08:05:00.000Z',
  expires_at: '2027-11-02T08:05:00.000Z',
  revoked_at: null,
  last_used_at: '2026-11-20T09:30:00.000Z',
  allowed_cidrs: ['203.0.113.0/24'],
  verify_within: null,
  created_by: EXAMPLE_IDS.staff,
  creator_left: false,
};

/** Its account's limits: a raised `intake` quota, the defaults otherwise. */
export const exampleLimits: AccountLimits = {
  account_id: EXAMPLE_IDS.account,
  policies: {
    intake: { quota: 120_000, window_seconds: 60, overridden: true },
    reads: { quota: 60_000, window_seconds: 60, overridden: false },
    'redeliver-exhausted': { quota: 6, window_seconds: 60, overridden: false },
    'secret-reveal': { quota: 10, window_seconds: 3_600, overridden: false },
  },
  allowed_cidrs: ['203.0.113.0/24'],
};

/** A retention of 30 days, shortened from 90 this morning. */
export const exampleAskedRetention: AccountRetention = {
  account_id: EXAMPLE_IDS.account,
  retention_days: 90,
  erases_from: null,
  would_erase: 0,
  more: false,
  asked: {
    retention_days: 30,
    asked_by: EXAMPLE_IDS.key,
    asked_by_name: 'privacy desk',
    asked_at: '2026-11-20T07:00:00.000Z',
    lapses_at: '2026-11-27T07:00:00.000Z',
  },
  holds: [],
  changes: [],
};

/** The same, once a second person has confirmed it. */
export const exampleRetention: AccountRetention = {
  account_id: EXAMPLE_IDS.account,
  retention_days: 30,
  erases_from: '2026-11-21T08:00:00.000Z',
  would_erase: 412,
  more: false,
  asked: null,
  holds: [],
  changes: [
    {
      changed_at: '2026-11-20T08:00:00.000Z',
      changed_by: EXAMPLE_IDS.staff,
      asked_by: EXAMPLE_IDS.key,
      days_before: 90,
      days_after: 30,
    },
  ],
};
