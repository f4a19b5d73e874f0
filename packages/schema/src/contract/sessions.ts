import { AccountList } from '../access/accounts/account.ts';
import { Scope } from '../access/scope.ts';
import { ListPage } from '../page/list-page.ts';
import { FindAccounts } from '../staff/find-accounts.ts';
import {
  BreakGlass,
  EmergencyAccess,
  EndedSession,
  Myself,
  SessionRef,
  StaffSessionList,
} from '../staff/staff-session.ts';
import { exampleAccount } from './examples/access.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleSession, exampleStaff } from './examples/staff.ts';
import { operation } from './operation.ts';

/** The operations of `sessions`. */
export const sessionsOperations = () => ({
  // Open to every caller with any scope; without `admin` they concern only the caller.
  me: operation('sessions.me', {
    get: '/sessions/me',
    scopes: Scope.options,
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Access',
    summary: 'Say who asks',
    description:
      'Tells who the caller is, what it may do and, of a person who is signed in, when the session ends.',
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
      "Pages through the sessions that are under way: with `admin` everyone's, else the caller's own. A key has none.",
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
      "Ends one of the caller's own sessions, with `admin` anyone's: at once, in every process. A session that has ended already stays so.",
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
    summary: 'Break the glass',
    description:
      "Gives an operator's session emergency access for an hour: the operator may then do what a verifier may, on any account. A person breaks it for the session that asks, signed in within 15 minutes in any way, and while the identity provider is down with the session that they have; a key for any operator's. The reason is kept; the log, the metrics and the audit tell of it.",
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

  // For whoever acts on one account, by choice.
  accounts: operation('sessions.accounts', {
    get: '/sessions/accounts',
    scopes: ['requests', 'secrets', 'operate', 'audit'],
    audience: [],
    forPeople: true,
    tag: 'Access',
    summary: 'List the accounts that one may act for',
    description:
      'Pages through the accounts that the person who is signed in may act for: their own, or for a person of the platform every one that is not suspended. Operators and auditors find by it whose rows they want to see. The header `Account-Id` of a call names one of them; without it a person of the platform acts for `default`.',
    limit: 'reads',
    input: FindAccounts,
    output: AccountList,
    example: { limit: 20, cursor: EXAMPLE_IDS.account, name: 'dental' },
    answers: { page: { items: [exampleAccount], next_cursor: null } },
  }),
});
