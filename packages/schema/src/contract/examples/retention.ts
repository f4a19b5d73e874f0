import type { Erasure } from '../../retention/erasure.ts';
import type { LegalHold } from '../../retention/legal-hold.ts';
import { EXAMPLE_IDS } from './ids.ts';

/** An erasure that a key asked for this morning. */
export const exampleAsked: Erasure = {
  erasure_id: EXAMPLE_IDS.erasure,
  request_id: EXAMPLE_IDS.request,
  account_id: EXAMPLE_IDS.account,
  account_name: 'Main Street Dental',
  reason: 'wrong_patient',
  asked_by: EXAMPLE_IDS.key,
  asked_by_name: 'Intake of the clinic',
  asked_at: '2026-11-20T11:10:00.000Z',
  lapses_at: '2026-11-27T11:10:00.000Z',
  confirmed_by: null,
  confirmed_by_name: null,
  erased_at: null,
  certificate: null,
};

/** The same, confirmed by a person, where backups are kept for 30 days. */
export const exampleErasure: Erasure = {
  ...exampleAsked,
  lapses_at: null,
  confirmed_by: EXAMPLE_IDS.staff,
  confirmed_by_name: 'Pat Officer',
  erased_at: '2026-11-20T11:25:00.000Z',
  certificate: {
    request_id: EXAMPLE_IDS.request,
    account_id: EXAMPLE_IDS.account,
    reason: 'wrong_patient',
    asked_by: EXAMPLE_IDS.key,
    asked_at: '2026-11-20T11:10:00.000Z',
    confirmed_by: EXAMPLE_IDS.staff,
    by_one_person: false,
    erased_at: '2026-11-20T11:25:00.000Z',
    erased: {
      results: 1,
      deliveries: 1,
      deliveries_ended: 0,
      responses: 1,
      attempts: 1,
      exchanges: 0,
      drafts: 0,
      held_outputs: 1,
      held_entries: 0,
    },
    copies: [
      {
        kind: 'write_ahead_log',
        name: 'up to 3/5E0A9F28',
        until: null,
        ends: 'The files of the log are used again once two checkpoints have passed and every standby has them.',
      },
      {
        kind: 'backup',
        name: 'each that was made before 2026-11-20T11:25:00.000Z',
        until: '2026-12-20T11:25:00.000Z',
        ends: 'Backups and snapshots: they are kept 30 days. One that is restored has the data again: erase it again.',
      },
    ],
  },
};

/** A hold that a lawyer asked for. */
export const exampleHold: LegalHold = {
  hold_id: EXAMPLE_IDS.hold,
  request_id: EXAMPLE_IDS.request,
  account_id: EXAMPLE_IDS.account,
  account_name: 'Main Street Dental',
  reason: 'Doe v. Main Street Dental, asked by counsel',
  placed_by: EXAMPLE_IDS.staff,
  placed_by_name: 'Pat Officer',
  placed_at: '2026-11-20T11:00:00.000Z',
  ended_by: null,
  ended_at: null,
};
