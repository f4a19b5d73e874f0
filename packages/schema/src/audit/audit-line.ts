import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';

/** Who did or saw what, and when. One call is one line, also where it reads a list of requests. */
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
/** {@link AuditLine} as a type. */
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
/** {@link AuditList} as a type. */
export type AuditList = z.infer<typeof AuditList>;
