import { AuditVerification, VerifyAudit } from '@insurance-verification/schema';
import { verifyAudit as verifyStoredAudit } from '@insurance-verification/store';
import { exampleBadRange, exampleDrop } from '../examples/audit.ts';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { assertCursor } from '../procedure/cursor.ts';
import { query } from '../procedure/trpc.ts';
import { isSealNumber } from './is-seal-number.ts';

/** Whether the audit is as it was sealed, as far as one call goes. */
export const verifyAudit = () =>
  query({
    meta: {
      operation: 'audit.verify',
      openapi: {
        summary: 'Compare the audit with its seals',
        description:
          'Reads the lines of the next seals, some 50,000, and compares them with what was signed. Call it again with `next_cursor` until that is null. The service compares; `iv audit verify` does it without believing the service. A test account’s key finds nothing to verify.',
        tags: ['Access'],
      },
      limit: 'reads',
      example: { cursor: '1180' },
      answers: {
        verified: {
          verified_through: 1_204,
          seal_count: 24,
          line_count: 8_120,
          dropped: [exampleDrop],
          bad_tables: [],
          missing_holds: [],
          altered_when_sealed: [],
          bad_range: null,
          next_cursor: null,
        },
        changed: {
          verified_through: 1_203,
          seal_count: 23,
          line_count: 8_069,
          dropped: [],
          bad_tables: [{ table: 'access_log_2026_11', fault: 'trigger_off' }],
          missing_holds: [
            {
              hold_id: EXAMPLE_IDS.hold,
              placed_at: '2026-11-02T09:14:07Z',
              request_id: EXAMPLE_IDS.request,
            },
          ],
          altered_when_sealed: [
            { first_seal: 1_190, last_seal: 1_192, tables: ['access_log_2026_11:trigger_off'] },
          ],
          bad_range: exampleBadRange,
          next_cursor: null,
        },
      },
    },
    input: VerifyAudit,
    output: AuditVerification,
    handler: ({ ctx: { app, caller }, input: { cursor } }) => {
      assertCursor(cursor === undefined || isSealNumber(cursor));
      const keys = app.sealKey?.verifiers ?? [];
      return verifyStoredAudit(app.store, { caller, keys, after: Number(cursor ?? 0) });
    },
  });
