/** Ids of one invented story: every example of the documentation is a part of it. */
export const EXAMPLE_IDS = {
  request: 'req_01jdabcdefghjkmnpqrstvwxyz',
  batch: 'bat_01jdabcdefghjkmnpqrstvwxyz',
  delivery: 'msg_01jdabcdefghjkmnpqrstvwxyz',
  event: 'evt_01jdabcdefghjkmnpqrstvwxyz',
  endpoint: 'ep_01jdabcdefghjkmnpqrstvwxyz',
  held: 'held_01jdabcdefghjkmnpqrstvwxyz',
  account: 'acct_01jdabcdefghjkmnpqrstvwxyz',
  key: 'key_01jdabcdefghjkmnpqrstvwxyz',
  staff: 'stf_01jdabcdefghjkmnpqrstvwxyz',
  session: 'ses_01jdabcdefghjkmnpqrstvwxyz',
  passkey: 'pky_01jdabcdefghjkmnpqrstvwxyz',
  erasure: 'ers_01jdabcdefghjkmnpqrstvwxyz',
  hold: 'hold_01jdabcdefghjkmnpqrstvwxyz',
  leaseToken: '6f1c1f0e-53a7-4a52-9d7e-2f8f3b1c9a44',
} as const;
