import * as z from 'zod';
import { AccountMode, ofModeField } from '../access/account.ts';
import { AuditSealList, AuditVerification, ListSeals, VerifyAudit } from '../audit/audit-seal.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { model } from '../model.ts';
import { cursorField, limitField, nextCursorField } from '../page.ts';
import { EXAMPLE_KEY, exampleBadRange, exampleDrop, exampleSeal } from './examples/audit.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

/** Who did or saw what, and when. One call is one line, even if it reads a list of requests. */
export const AuditLine = model('AuditLine', 'Who did or saw what, and when.', {
  audit_id: z.string().meta({ description: 'The id of the line; digits that count up.' }),
  at: dateTime().meta({ description: 'When it happened.' }),
  key_id: z.string().nullable().meta({
    description:
      'The key that acted, or the person (stf_…), or sandbox, or api-channel; null for a caller without one, and for a live account’s to a test account’s key.',
  }),
  account_id: z.string().nullable().meta({
    description:
      'The account of that key, or the one that the person acted for; null where key_id is, and for sandbox to a test account’s key.',
  }),
  account_name: z.string().nullable().meta({
    description: 'The name that this account has now; null where account_id is.',
  }),
  operation: z.string().meta({ description: 'What was done, for example requests.get.' }),
  outcome: z.enum(['done', 'refused']).meta({
    description: 'What came of it: done; or refused, for a sign-in that failed.',
  }),
  name: z.string().nullable().meta({
    description:
      'The name of the person or key, as it was then; null without one, and for a live account’s to a test account’s key.',
  }),
  session_id: z.string().nullable().meta({
    description: 'The session (ses_…) that the person acted in; null for a key, and where neither acted.',
  }),
  link_by: z.string().nullable().meta({
    description:
      'The key or person whose link began that session, where somebody else than the person made it: the link’s maker could have used it. Null without one, and once the line of the sign-in was dropped.',
  }),
  link_by_name: z.string().nullable().meta({
    description: 'The name that this key or person has now; null without one.',
  }),
  address: z.string().nullable().meta({
    description:
      'The client’s address; null when unknown, for the service itself, and for a live account’s caller to a test account’s key.',
  }),
  change: z.string().nullable().meta({
    description:
      'What was set, as JSON: `before`, null where it was made, and `after`. Of a refused sign-in `way` and `refusal`, of an erasure its `certificate`. Null for any other operation. It never holds a patient’s data.',
  }),
  request_id: z
    .string()
    .nullable()
    .meta({ description: 'The request that it concerns; null where it concerns none, or several.' }),
  request_count: wholeNumber().meta({
    description:
      'How many requests it concerns: 0 for none, several for a list. A list is found by the id of each request in it, which it does not show.',
  }),
  request_account_id: z.string().nullable().meta({
    description:
      'The account of the request, or of all requests of a list: whose patients they are. Null where it concerns no request, and where they are of several accounts.',
  }),
  request_account_name: z.string().nullable().meta({
    description: 'The name that this account has now; null where request_account_id is.',
  }),
  account_mode: AccountMode.meta({
    description:
      'test: it concerns requests of test accounts only, or without a request was done by a caller of one; else live.',
  }),
  subject_id: z.string().nullable().meta({
    description:
      'The account, key, person, session or held output that it was done to, or that it made; null for any other operation, in older lines, and where a test account’s key is not told who acted.',
  }),
  subject_name: z.string().nullable().meta({
    description:
      'The name that the account, key or person of subject_id has now; null for any other subject, and for a key without one.',
  }),
  misdated: z.boolean().meta({
    description:
      'Whether it cannot have been written at that time, by the seals around it: its writer chose the time.',
  }),
  emergency: z.boolean().meta({
    description: 'Whether it was done with emergency access, or took it.',
  }),
  reason: z.string().nullable().meta({
    description: 'The reason that was given for emergency access; null for any other operation.',
  }),
  fresh_sign_in: z.boolean().nullable().meta({
    description:
      'Whether emergency access was begun by a person who had just proven who they are; false: the identity provider was down, and the session that they had was enough. Null for a key, and for any other operation.',
  }),
});
export type AuditLine = z.infer<typeof AuditLine>;

/**
 * One page of the audit. With rarely matching filters it may hold fewer lines than requested, or none, although there
 * are more: a call scans a bounded number of lines. Only a `next_cursor` of null marks the end.
 */
export const AuditList = model('AuditList', 'One page of the audit.', {
  items: list(AuditLine).meta({
    description:
      'The lines, newest first. With filters that few lines meet a page may be short or empty before the last.',
  }),
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: 'The cursor of the next page; null on the last, and only there.' }),
});
export type AuditList = z.infer<typeof AuditList>;

/** Which lines of the audit: those that match every given filter. */
const auditFilterFields = () => ({
  key_id: z.string().optional().meta({ description: 'Only what this key did, or this person (stf_…).' }),
  name: z.string().min(1).max(100).optional().meta({
    description:
      'Only what was done by people and keys whose name, as the line has it, has these letters in it, in any case.',
  }),
  account_id: z.string().optional().meta({
    description: 'Only lines about requests of this account, by any caller.',
  }),
  account_mode: ofModeField().meta({ description: 'Only lines of this mode; absent: of any.' }),
  operation: z.string().optional().meta({ description: 'Only this operation, for example requests.get.' }),
  request_id: z
    .string()
    .optional()
    .meta({ description: 'Only what concerns this request, also lists that it was in.' }),
  subject_id: z.string().optional().meta({
    description: 'Only what was done to this account, key, person, session or held output, or made it.',
  }),
  since: dateTime().optional().meta({ description: 'Only what happened at this time or later.' }),
  until: dateTime().optional().meta({ description: 'Only what happened before this time.' }),
});

/** The forms that the audit is exported in. */
export const AuditFormat = z.enum(['ndjson', 'csv']).meta({
  id: 'AuditFormat',
  description:
    'ndjson: an AuditLine as JSON on each line. csv: a heading, then a line of comma-separated values for each (RFC 4180); a text that begins like a formula gets an apostrophe.',
});
export type AuditFormat = z.infer<typeof AuditFormat>;

/** Which lines of the audit to export, and how: those that match every given filter, newest first. */
export const ExportAudit = model(
  'ExportAudit',
  'Which lines of the audit to export, newest first, and how.',
  {
    format: AuditFormat.default('ndjson').meta({ description: 'The form of the file; ndjson when absent.' }),
    limit: z.int().min(1).max(1000).default(1000).meta({
      description: 'How many lines of the audit at most, 1 to 1,000.',
    }),
    cursor: cursorField(),
    ...auditFilterFields(),
  },
);
/** {@link ExportAudit} as a type, after the defaults are filled in. */
export type ExportAudit = z.infer<typeof ExportAudit>;

/**
 * A part of a file: the file is the `items` of all parts, one after the other. A part may be short or empty before the
 * last one: only a `next_cursor` of null marks the end.
 */
export const AuditExport = model('AuditExport', 'A part of an exported file.', {
  media_type: z.string().meta({ description: 'The media type of the file.' }),
  items: list(z.string()).meta({
    description:
      'The lines of the file, each with its line end; in CSV the first part begins with the heading. With filters that few lines meet a part may be short or empty before the last.',
  }),
  next_cursor: nextCursorField().meta({
    description: 'The cursor of the next part; null on the last, and only there.',
  }),
});
export type AuditExport = z.infer<typeof AuditExport>;

/** The audit lines to list, newest first: those that match every given filter. */
export const ListAudit = model('ListAudit', 'Which lines of the audit to list, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
  ...auditFilterFields(),
});
/** {@link ListAudit} as a type, after the default is filled in. */
export type ListAudit = z.infer<typeof ListAudit>;

/** The heading of the audit as CSV, and the example's line. */
const EXAMPLE_CSV_HEADING =
  'audit_id,at,key_id,account_id,operation,request_id,subject_id,emergency,reason,fresh_sign_in,misdated,outcome,name,session_id,address,change,account_name,subject_name,request_count,request_account_id,request_account_name,link_by,link_by_name,account_mode\r\n';
const EXAMPLE_CSV_LINE = `48213,2026-11-20T09:30:00.000Z,${EXAMPLE_IDS.key},${EXAMPLE_IDS.account},requests.create,${EXAMPLE_IDS.request},,false,,,false,done,billing,,192.0.2.10,,Main Street Dental,,1,${EXAMPLE_IDS.account},Main Street Dental,,,live\r\n`;

const exampleLine: AuditLine = {
  audit_id: '48213',
  at: '2026-11-20T09:30:00.000Z',
  key_id: EXAMPLE_IDS.key,
  account_id: EXAMPLE_IDS.account,
  account_name: 'Main Street Dental',
  operation: 'requests.create',
  request_id: EXAMPLE_IDS.request,
  request_count: 1,
  request_account_id: EXAMPLE_IDS.account,
  request_account_name: 'Main Street Dental',
  account_mode: 'live',
  subject_id: null,
  subject_name: null,
  outcome: 'done',
  name: 'billing',
  session_id: null,
  link_by: null,
  link_by_name: null,
  address: '192.0.2.10',
  change: null,
  misdated: false,
  emergency: false,
  reason: null,
  fresh_sign_in: null,
};

/** The operations of `audit`. */
export const auditOperations = () => ({
  list: operation('audit.list', {
    get: '/audit',
    scopes: ['audit'],
    audience: ['operator'],
    tag: 'Access',
    summary: 'List the audit, newest first',
    description:
      'Returns a page of who did or saw what, and when. Every read of a patient’s data has a line; a person’s page that is read again within 15 minutes has one only for requests that it had not shown. A list is one line: `request_id` finds it by each request in it. With filters that few lines match, a page before the last may be short or empty: `next_cursor` is null on the last page only.',
    limit: 'reads',
    input: ListAudit,
    output: AuditList,
    example: {
      limit: 20,
      cursor: '48213',
      account_mode: 'live',
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
      'Returns the lines of `audit.list` as the lines of a file, NDJSON or CSV. The file is the `items` of all parts in order; continue while there is a `next_cursor`. `iv audit export` writes the file.',
    limit: 'reads',
    input: ExportAudit,
    output: AuditExport,
    example: {
      format: 'csv',
      limit: 1000,
      cursor: '48213',
      account_mode: 'live',
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
      'Returns a page of seals, newest first: each signs the lines of its range. It includes the public keys that verify them and what is not sealed yet. A test account’s key gets none.',
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
      'Reads the lines of the next seals, some 50,000, and compares them with what was signed. Repeat it with `next_cursor` until that is null. The service compares; `iv audit verify` does not rely on the service. A test account’s key has nothing to verify.',
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
