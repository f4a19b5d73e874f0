import * as z from 'zod';
import { AccountList, accountModeField } from '../access/account.ts';
import { Scope } from '../access/scope.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { ListPage, cursorField, limitField, nextCursorField } from '../page.ts';
import { StaffRole } from '../staff-role.ts';
import { exampleAccount } from './examples/access.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';
import { exampleStaff } from './people.ts';

/** Which of the accounts that a person may act for to list, newest first (`sessions.accounts`). */
export const FindAccounts = model('FindAccounts', 'Which of the accounts that one may act for to list.', {
  limit: limitField(),
  cursor: cursorField(),
  name: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description: 'Only those whose name has these letters in it, in any case.' }),
});
/** {@link FindAccounts} as a type, after the default is filled in. */
export type FindAccounts = z.infer<typeof FindAccounts>;

const idleEndsAt = () => dateTime().meta({ description: 'When it ends unless it is used before.' });
const endsAt = () => dateTime().meta({ description: 'When it ends however much it is used.' });

/** A live session (`sessions.list`). */
export const StaffSession = model('StaffSession', 'A session of a person.', {
  session_id: z.string().meta({ description: 'The id of the session; not secret.' }),
  staff_id: z.string().meta({ description: 'Whose it is.' }),
  name: z.string().meta({ description: "The person's name." }),
  signed_in_at: dateTime().meta({ description: 'When it began.' }),
  last_used_at: dateTime().meta({ description: 'When it was last used, to ten seconds.' }),
  idle_ends_at: idleEndsAt(),
  ends_at: endsAt(),
  way: z.enum(['link', 'provider', 'passkey']).meta({ description: 'How the person signed in.' }),
  device: z.string().nullable().meta({
    description: 'The browser and system it was begun with, in words; null when unknown.',
  }),
});
export type StaffSession = z.infer<typeof StaffSession>;

/** One page of sessions. */
export const StaffSessionList = model('StaffSessionList', 'One page of sessions.', {
  items: list(StaffSession).meta({ description: 'The sessions under way, newest first.' }),
  next_cursor: nextCursorField(),
});
export type StaffSessionList = z.infer<typeof StaffSessionList>;

/** The caller (`sessions.me`): a signed-in person, or a key. */
export const Myself = model('Myself', 'Who asks: a person who is signed in, or a key.', {
  id: z.string().meta({ description: 'As the audit names the caller: stf_… for a person, key_… for a key.' }),
  name: z.string().nullable().meta({ description: "The person's name; null for a key." }),
  roles: list(StaffRole).meta({ description: 'What the person does; empty for a key.' }),
  scopes: list(Scope).meta({ description: 'What the caller may do.' }),
  read_scopes: list(Scope).meta({ description: 'Further scopes for calls that change nothing.' }),
  account_id: z.string().meta({ description: 'The account that it acts for.' }),
  session: model('MySession', 'The session that asks.', {
    session_id: z.string().meta({ description: 'The id of the session; not secret.' }),
    account_name: z.string().meta({ description: 'The name of the account that the person acts for.' }),
    account_mode: accountModeField(),
    may_switch: z.boolean().meta({
      description:
        'Whether the person may act for other accounts, each named by the header `Account-Id`; false for people of one account.',
    }),
    idle_ends_at: idleEndsAt(),
    ends_at: endsAt(),
    fresh_until: dateTime().nullable().meta({
      description: 'Until when it counts as fresh, for what makes or ends access; null when unknown.',
    }),
    emergency_until: dateTime().nullable().meta({
      description: 'Until when it has emergency access; null without it.',
    }),
  })
    .nullable()
    .meta({ description: 'The session that asks; null for a key.' }),
});
export type Myself = z.infer<typeof Myself>;

/** The body that begins emergency access (`sessions.breakGlass`). */
export const BreakGlass = model('BreakGlass', 'Begins an hour of emergency access.', {
  reason: z.string().trim().min(10).max(500).meta({
    description: 'Why, in 10 to 500 characters: encrypted, and shown to those who read the audit.',
  }),
});
export type BreakGlass = z.infer<typeof BreakGlass>;

/** An hour of emergency access (`sessions.breakGlass`). */
export const EmergencyAccess = model('EmergencyAccess', 'An hour of emergency access.', {
  session_id: z.string().meta({ description: 'The session that has it.' }),
  begun_at: dateTime().meta({ description: 'When it began.' }),
  ends_at: dateTime().meta({ description: 'When it ends, unless the session ends before.' }),
});
export type EmergencyAccess = z.infer<typeof EmergencyAccess>;

/** Names a session (`sessions.end`). */
export const SessionRef = model('SessionRef', 'Names a session.', {
  session_id: z.string().meta({ description: 'The id of the session.' }),
});
export type SessionRef = z.infer<typeof SessionRef>;

/** A session that was ended (`sessions.end`). */
export const EndedSession = model('EndedSession', 'A session that was ended.', {
  ...SessionRef.shape,
  status: z.literal('ended').meta({ description: 'It has ended.' }),
});
export type EndedSession = z.infer<typeof EndedSession>;

const exampleSession: StaffSession = {
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

/** The operations of `sessions`. */
export const sessionsOperations = () => ({
  // Open to every caller with any scope; without `admin` they concern only the caller.
  me: operation('sessions.me', {
    get: '/sessions/me',
    scopes: Scope.options,
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Access',
    summary: 'Read the caller',
    description:
      'Returns who the caller is, what it may do and, for a person who is signed in, when the session ends.',
    limit: 'reads',
    output: Myself,
    answers: {
      person: {
        id: EXAMPLE_IDS.staff,
        name: exampleStaff.name,
        roles: exampleStaff.roles,
        scopes: ['verify'],
        read_scopes: [],
        account_id: 'acct_00000000000000000000000000',
        session: {
          session_id: EXAMPLE_IDS.session,
          account_name: 'default',
          account_mode: 'live',
          may_switch: true,
          idle_ends_at: exampleSession.idle_ends_at,
          ends_at: exampleSession.ends_at,
          emergency_until: null,
          fresh_until: '2026-11-20T10:17:00.000Z',
        },
      },
      key: {
        id: EXAMPLE_IDS.key,
        name: null,
        roles: [],
        scopes: ['requests'],
        read_scopes: [],
        account_id: EXAMPLE_IDS.account,
        session: null,
      },
    },
  }),

  list: operation('sessions.list', {
    get: '/sessions',
    scopes: Scope.options,
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Access',
    summary: 'List sessions, newest first',
    description:
      'Returns a page of active sessions: all with `admin`, otherwise the caller’s own. A key has none.',
    limit: 'reads',
    input: ListPage,
    output: StaffSessionList,
    example: { limit: 20, cursor: EXAMPLE_IDS.session },
    answers: { page: { items: [exampleSession], next_cursor: null } },
  }),

  end: operation('sessions.end', {
    post: '/sessions/{session_id}/end',
    scopes: Scope.options,
    audience: ['provider', 'verifier', 'operator'],
    repeatable: true,
    tag: 'Access',
    summary: 'End a session',
    description:
      'Ends one of the caller’s own sessions, or any session with `admin`, at once in every process.',
    ofCaller: true,
    problems: ['not_found'],
    changes: ['access', 'session'],
    params: SessionRef,
    output: EndedSession,
    answers: { ended: { session_id: EXAMPLE_IDS.session, status: 'ended' } },
  }),

  // A second call during the hour begins another.
  breakGlass: operation('sessions.breakGlass', {
    post: '/sessions/{session_id}/break-glass',
    scopes: ['operate'],
    audience: ['operator'],
    repeatable: false,
    tag: 'Access',
    summary: 'Grant emergency access',
    description:
      'Grants an operator’s session emergency access for an hour: the operator may then do a verifier’s work on any account. A person grants it to their own session, signed in within 15 minutes, or with the session they have while the identity provider is down. A key grants it to any operator’s session. The reason is kept; the log, the metrics and the audit record it.',
    problems: ['not_found'],
    changes: ['access'],
    params: SessionRef,
    input: BreakGlass,
    output: EmergencyAccess,
    example: { reason: 'The verifiers are out; a patient waits at the desk.' },
    answers: {
      broken: {
        session_id: EXAMPLE_IDS.session,
        begun_at: '2026-11-20T10:05:00.000Z',
        ends_at: '2026-11-20T11:05:00.000Z',
      },
    },
  }),

  // For a caller who acts on one account, by choice.
  accounts: operation('sessions.accounts', {
    get: '/sessions/accounts',
    scopes: ['requests', 'secrets', 'operate', 'audit'],
    audience: [],
    forPeople: true,
    tag: 'Access',
    summary: 'List the accounts that the caller may act for',
    description:
      'Returns a page of the accounts that the signed-in person may act for: their own, or every active account for a person of the platform. Operators and auditors use it to choose whose rows to see. The header `Account-Id` of a call names one of them; without it a person of the platform acts for `default`.',
    limit: 'reads',
    input: FindAccounts,
    output: AccountList,
    example: { limit: 20, cursor: EXAMPLE_IDS.account, name: 'dental' },
    answers: { page: { items: [exampleAccount], next_cursor: null } },
  }),
});
