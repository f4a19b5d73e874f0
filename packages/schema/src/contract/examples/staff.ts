import type { Passkey } from '../passkeys.ts';
import type { StaffLink, StaffMember } from '../people.ts';
import type { StaffSession } from '../sessions.ts';
import { EXAMPLE_IDS } from './ids.ts';

/** Someone of the platform who verifies by phone and portal. */
export const exampleStaff: StaffMember = {
  staff_id: EXAMPLE_IDS.staff,
  name: 'Ada Jones',
  account_id: null,
  account_name: null,
  roles: ['verifier'],
  allowed_cidrs: null,
  verify_within: { payer_ids: null, channels: ['manual_phone_call'], account_ids: null },
  created_at: '2026-11-02T08:10:00.000Z',
  ended_at: null,
};

export const exampleLink: StaffLink['link'] = {
  path: '/console/sign-in#6Tf…', // not in the issued form
  expires_at: '2026-11-20T10:30:00.000Z',
};

export const exampleSession: StaffSession = {
  session_id: EXAMPLE_IDS.session,
  staff_id: EXAMPLE_IDS.staff,
  name: 'Ada Jones',
  signed_in_at: '2026-11-20T10:02:00.000Z',
  last_used_at: '2026-11-20T10:05:00.000Z',
  idle_ends_at: '2026-11-20T10:20:00.000Z',
  ends_at: '2026-11-20T22:02:00.000Z',
  way: 'link',
  device: 'Firefox on Windows',
};

export const examplePasskey: Passkey = {
  passkey_id: EXAMPLE_IDS.passkey,
  name: 'Laptop at the desk',
  created_at: '2026-11-20T10:06:00.000Z',
  last_used_at: '2026-11-20T13:30:00.000Z',
};
