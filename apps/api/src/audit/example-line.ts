import type { AuditLine } from '@insurance-verification/schema';
import { EXAMPLE_IDS } from '../procedure/example-ids.ts';

export const exampleLine: AuditLine = {
  audit_id: '48213',
  at: '2026-11-20T09:30:00.000Z',
  key_id: EXAMPLE_IDS.key,
  account_id: EXAMPLE_IDS.account,
  operation: 'requests.create',
  request_id: EXAMPLE_IDS.request,
  subject_id: null,
  emergency: false,
  reason: null,
};
