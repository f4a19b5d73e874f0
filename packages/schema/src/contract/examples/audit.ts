import type { AuditDrop, AuditSeal, BadRange } from '../../audit/audit-seal.ts';
export const EXAMPLE_KEY =
  'insurance-verification/audit/3fa94c21+5c0d1f6e+AQ9mCn0b1yF7qk5JmT2YVb8o0s4rM3x6Zt1hWcQeUaLd';

const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';

export const exampleSeal: AuditSeal = {
  seal: 1_204,
  sealed_at: '2026-11-20T09:30:04.512Z',
  first_id: '312390',
  last_id: '312440',
  line_count: 51,
  tree_size: 312_440,
  misdated_count: 0,
  root: ROOT,
  note: `insurance-verification/audit/3fa94c21
312440
${ROOT}
seal 1204
lines 312390-312440
time 2026-11-20T09:30:04.512Z
settled 2026-11-20T09:30:04.490Z
misdated 0
tables as-made
previous 0ZlJ7bYf2n8VxkqTtGm0cWmRr1uQ5bHn3s9yXo4Lq1A=

— insurance-verification/audit/3fa94c21 XA0fbk1sZ2F0dXJlIG9mIHRoZSBzZWFsLCA2NCBieXRlcyBvZiBFZDI1NTE5IGluIGJhc2U2NCwgd2l0aCB0aGUga2V5IGlkIGJlZm9yZQ==
`,
};

export const exampleBadRange: BadRange = {
  fault: 'lines_changed',
  seal: 1_204,
  first_id: '312390',
  last_id: '312440',
  sealed_count: 51,
  found_count: 51,
};

export const exampleDrop: AuditDrop = {
  drop: 1,
  month: '2026-10',
  dropped_at: '2026-11-04T08:00:12.345Z',
  dropped_by: 'ann@ops1',
  first_id: '1',
  last_id: '298412',
  line_count: 298_377,
  first_seal: 1,
  last_seal: 1_181,
  archive_sha256: '8f1d8c1e7f0a52d0a4a8f3b5b5f8dbd2d1a9c2a44f6f8b7e3f5a0c1d2e3f4a5b',
};
