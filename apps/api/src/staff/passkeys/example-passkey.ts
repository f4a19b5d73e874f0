import type { Passkey } from '@insurance-verification/schema';
import { EXAMPLE_IDS } from '../../procedure/example-ids.ts';

export const examplePasskey: Passkey = {
  passkey_id: EXAMPLE_IDS.passkey,
  name: 'Laptop at the desk',
  created_at: '2026-11-20T10:06:00.000Z',
  last_used_at: '2026-11-20T13:30:00.000Z',
};
