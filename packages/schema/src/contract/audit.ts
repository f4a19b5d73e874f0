import { AuditList } from '../audit/audit-line.ts';
import { AuditSealList, AuditVerification, ListSeals, VerifyAudit } from '../audit/audit-seal.ts';
import { AuditExport, ExportAudit } from '../audit/export-audit.ts';
import { ListAudit } from '../audit/list-audit.ts';
import { EXAMPLE_KEY, exampleBadRange, exampleDrop, exampleLine, exampleSeal } from './examples/audit.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

/** The heading of the audit as CSV, and the example's line. */
const EXAMPLE_CSV_HEADING =
  'audit_id,at,key_id,account_id,operation,request_id,subject_id,emergency,reason,fresh_sign_in,misdated,outcome,name,session_id,address,change,account_name,subject_name,request_count,request_account_id,request_account_name,link_by,link_by_name\r\n';
const EXAMPLE_CSV_LINE = `48213,2026-11-20T09:30:00.000Z,${EXAMPLE_IDS.key},${EXAMPLE_IDS.account},requests.create,${EXAMPLE_IDS.request},,false,,,false,done,billing,,192.0.2.10,,Main Street Dental,,1,${EXAMPLE_IDS.account},Main Street Dental,,\r\n`;

/** The operations of `audit`. */
export const auditOperations = () => ({
  list: operation('audit.list', {
    get: '/audit',
    scopes: ['audit'],
    audience: ['operator'],
    tag: 'Access',
    summary: 'List who did what, newest first',
    description:
      "Pages through who did or saw what, and when. Every read of a patient's data has its line; what a person's page reads again within 15 minutes has one for the requests that it had not seen. A list is one line: `request_id` finds it by each request that was in it. With filters that few lines meet, a page may be short or empty before the last: only a `next_cursor` of null says that it was the last.",
    limit: 'reads',
    input: ListAudit,
    output: AuditList,
    example: {
      limit: 20,
      cursor: '48213',
      key_id: EXAMPLE_IDS.key,
      name: 'billing',
      account_id: EXAMPLE_IDS.account,
      operation: 'requests.get',
      request_id: EXAMPLE_IDS.request,
      subject_id: EXAMPLE_IDS.held,
      since: '2026-11-20T00:00:00Z',
      until: '2026-11-21T00:00:00Z',
    },
    answers: {
      page: {
        items: [exampleLine],
        next_cursor: null,
      },
    },
  }),

  export: operation('audit.export', {
    get: '/audit/export',
    scopes: ['audit'],
    audience: ['operator'],
    recordsEachCall: true,
    tag: 'Access',
    summary: 'Export the audit as a file, part by part',
    description:
      'The lines that `audit.list` would list, as the lines of a file: NDJSON or CSV. The file is the `items` of all parts, one after the other; go on while there is a `next_cursor`. `iv audit export` writes it.',
    limit: 'reads',
    input: ExportAudit,
    output: AuditExport,
    example: {
      format: 'csv',
      limit: 1000,
      cursor: '48213',
      key_id: EXAMPLE_IDS.key,
      name: 'billing',
      account_id: EXAMPLE_IDS.account,
      operation: 'requests.get',
      request_id: EXAMPLE_IDS.request,
      subject_id: EXAMPLE_IDS.held,
      since: '2026-11-01T00:00:00Z',
      until: '2026-12-01T00:00:00Z',
    },
    answers: {
      ndjson: {
        media_type: 'application/x-ndjson',
        items: [`${JSON.stringify(exampleLine)}\n`],
        next_cursor: '48213',
      },
      csv: { media_type: 'text/csv', items: [EXAMPLE_CSV_HEADING, EXAMPLE_CSV_LINE], next_cursor: null },
    },
  }),

  seals: operation('audit.seals', {
    get: '/audit/seals',
    scopes: ['audit'],
    audience: ['operator'],
    tag: 'Access',
    summary: 'List the seals of the audit',
    description:
      'Pages through the seals, newest first: each states, signed, what the lines of its range were. With the public keys that verify them, and what is not sealed yet. A test account’s key sees none.',
    limit: 'reads',
    input: ListSeals,
    output: AuditSealList,
    example: { limit: 20, cursor: '1205' },
    answers: {
      page: {
        items: [exampleSeal],
        next_cursor: '1204',
        verifier_keys: [EXAMPLE_KEY],
        unsealed_since: '2026-11-20T09:30:05.001Z',
        unsealed_count: 7,
        stopped: null,
      },
    },
  }),

  verify: operation('audit.verify', {
    get: '/audit/verification',
    scopes: ['audit'],
    audience: ['operator'],
    tag: 'Access',
    summary: 'Compare the audit with its seals',
    description:
      'Reads the lines of the next seals, some 50,000, and compares them with what was signed. Call it again with `next_cursor` until that is null. The service compares; `iv audit verify` does it without believing the service. A test account’s key finds nothing to verify.',
    limit: 'reads',
    input: VerifyAudit,
    output: AuditVerification,
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
  }),
});
