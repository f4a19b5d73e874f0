import * as z from 'zod';
import {
  AccountLimits,
  type LimitPolicy,
  Account,
  AccountKind,
  AccountList,
  AccountMode,
} from '../access/account.ts';
import { allowedCidrs } from '../access/scope.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { model } from '../model.ts';
import { ListPage } from '../page.ts';
import { StandingHold } from '../retention/legal-hold.ts';
import { exampleAccount } from './examples/access.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

/** Names one account. Any string passes: a malformed id answers 404, like an unknown one. */
export const AccountRef = model('AccountRef', 'Names one account.', {
  account_id: z.string().meta({ description: 'The id of the account.' }),
});
export type AccountRef = z.infer<typeof AccountRef>;

/**
 * The shortest retention. The `Idempotency-Key` of a request is remembered for 48 hours: a repeat is never a question
 * about data that is gone.
 */
const DAYS_MIN = 3;

/** The longest retention, ten years: the law requires less. */
const DAYS_MAX = 3_650;

const days = () => z.int().min(DAYS_MIN).max(DAYS_MAX);

/** A change of an account's retention. */
export const RetentionChange = model('RetentionChange', "A change of an account's retention.", {
  changed_at: dateTime().meta({ description: 'When it was changed.' }),
  changed_by: z
    .string()
    .meta({ description: 'The key or person that changed it, or confirmed a shorter one.' }),
  asked_by: z.string().nullable().meta({
    description: 'The key or person that asked for a shorter one; null for a longer one.',
  }),
  days_before: wholeNumber().nullable().meta({ description: 'The days before; null: kept.' }),
  days_after: wholeNumber().nullable().meta({ description: 'The days from then on; null: kept.' }),
});
export type RetentionChange = z.infer<typeof RetentionChange>;

/** A shorter retention that waits for a second person. */
export const AskedRetention = model('AskedRetention', 'A shorter retention that waits for a second person.', {
  retention_days: wholeNumber().meta({ description: 'The days that were asked for.' }),
  asked_by: z.string().meta({ description: 'The key or person that asked.' }),
  asked_by_name: z.string().nullable().meta({ description: 'Its present name; null for a key without one.' }),
  asked_at: dateTime().meta({ description: 'When.' }),
  lapses_at: dateTime().meta({ description: 'Until when it can be confirmed, 7 days.' }),
});
export type AskedRetention = z.infer<typeof AskedRetention>;

/** How long an account's requests keep their data (`accounts.retention`). */
export const AccountRetention = model('AccountRetention', "How long an account's requests keep their data.", {
  account_id: z.string().meta({ description: 'The id of the account.' }),
  retention_days: wholeNumber().nullable().meta({
    description: 'Days from the end of a request to the erasure of its data; null: the data is kept.',
  }),
  erases_from: dateTime().nullable().meta({
    description:
      'Nothing is erased before: a day after the retention was shortened. Null when nothing holds it up.',
  }),
  would_erase: wholeNumber().meta({
    description:
      'Finished requests that have been finished for longer, and so lose their data, with the days that were asked about, by default those that are set.',
  }),
  more: z
    .boolean()
    .meta({ description: 'Whether there are more than were counted: counting ends at 10,000.' }),
  asked: AskedRetention.nullable().meta({
    description: 'The shorter retention that waits for a second person; null for none.',
  }),
  holds: list(StandingHold).meta({
    description: 'The legal holds on the whole account: while one is in force, nothing of it is erased.',
  }),
  changes: list(RetentionChange).meta({ description: 'The last 20 changes, newest first.' }),
});
export type AccountRetention = z.infer<typeof AccountRetention>;

/** The days for which to count an account's requests (`accounts.retention`). */
export const AskAccountRetention = model('AskAccountRetention', 'Which days to count for.', {
  days: days()
    .optional()
    .meta({
      description: `Count what so many days would erase, ${DAYS_MIN} to ${DAYS_MAX}; absent: what those that are set erase.`,
    }),
});
export type AskAccountRetention = z.infer<typeof AskAccountRetention>;

/** The body that sets an account's retention (`accounts.setRetention`). */
export const SetAccountRetention = model('SetAccountRetention', "Sets an account's retention.", {
  retention_days: days()
    .nullable()
    .meta({
      description: `Days from the end of a request to the erasure of its data, ${DAYS_MIN} to ${DAYS_MAX}; null keeps it.`,
    }),
});
export type SetAccountRetention = z.infer<typeof SetAccountRetention>;

/** The body that confirms a shorter retention (`accounts.confirmRetention`). */
export const ConfirmRetention = model('ConfirmRetention', 'Confirms a shorter retention.', {
  retention_days: days().meta({
    description: `The days that were asked for, ${DAYS_MIN} to ${DAYS_MAX}: those that you saw, and no others.`,
  }),
});
export type ConfirmRetention = z.infer<typeof ConfirmRetention>;

/** The body that creates an account (`accounts.create`). */
export const CreateAccount = model('CreateAccount', 'Creates an account.', {
  name: z.string().min(1).max(200).meta({ description: 'Its name, for people, 1 to 200 characters.' }),
  kind: AccountKind.default('provider').meta({ description: 'Who it belongs to.' }),
  mode: AccountMode.default('live').meta({ description: 'Whether its requests are real.' }),
});
/** {@link CreateAccount} as a type, after the defaults are filled in. */
export type CreateAccount = z.infer<typeof CreateAccount>;

const QUOTA_MAX = 10_000_000;

/** The longest window: a day. */
const WINDOW_SECONDS_MAX = 86_400;

/** A quota for one account. */
export const NewQuota = model('NewQuota', 'A quota for one account.', {
  quota: z
    .int()
    .min(1)
    .max(QUOTA_MAX)
    .meta({ description: 'Units at once, and as many again in each window.' }),
  window_seconds: z.int().min(1).max(WINDOW_SECONDS_MAX).meta({ description: 'The window in seconds.' }),
});
export type NewQuota = z.infer<typeof NewQuota>;

const override = () =>
  NewQuota.nullable()
    .optional()
    .meta({ description: 'Its quota; null: the default again; absent: as it is.' });

/** The body that sets an account's limits. */
export const SetAccountLimits = model('SetAccountLimits', "Sets an account's limits.", {
  policies: model('NewQuotas', 'Quotas by policy.', {
    intake: override(),
    reads: override(),
    'redeliver-exhausted': override(),
    'secret-reveal': override(),
  } satisfies Record<LimitPolicy, z.ZodType>)
    .optional()
    .meta({ description: 'Quotas by policy; what is not named stays as it is.' }),
  allowed_cidrs: allowedCidrs()
    .nullable()
    .optional()
    .meta({ description: 'The only networks its keys work from; null: anywhere; absent: as it is.' }),
});
export type SetAccountLimits = z.infer<typeof SetAccountLimits>;

/** Its account's limits: a raised `intake` quota, the defaults otherwise. */
const exampleLimits: AccountLimits = {
  account_id: EXAMPLE_IDS.account,
  policies: {
    intake: { quota: 120_000, window_seconds: 60, overridden: true },
    reads: { quota: 60_000, window_seconds: 60, overridden: false },
    'redeliver-exhausted': { quota: 6, window_seconds: 60, overridden: false },
    'secret-reveal': { quota: 10, window_seconds: 3_600, overridden: false },
  },
  allowed_cidrs: ['203.0.113.0/24'],
};

/** A retention of 30 days, shortened from 90 this morning. */
const exampleAskedRetention: AccountRetention = {
  account_id: EXAMPLE_IDS.account,
  retention_days: 90,
  erases_from: null,
  would_erase: 0,
  more: false,
  asked: {
    retention_days: 30,
    asked_by: EXAMPLE_IDS.key,
    asked_by_name: 'privacy desk',
    asked_at: '2026-11-20T07:00:00.000Z',
    lapses_at: '2026-11-27T07:00:00.000Z',
  },
  holds: [],
  changes: [],
};

/** The same, once a second person has confirmed it. */
const exampleRetention: AccountRetention = {
  account_id: EXAMPLE_IDS.account,
  retention_days: 30,
  erases_from: '2026-11-21T08:00:00.000Z',
  would_erase: 412,
  more: false,
  asked: null,
  holds: [],
  changes: [
    {
      changed_at: '2026-11-20T08:00:00.000Z',
      changed_by: EXAMPLE_IDS.staff,
      asked_by: EXAMPLE_IDS.key,
      days_before: 90,
      days_after: 30,
    },
  ],
};

/** The operations of `accounts`. */
export const accountsOperations = () => ({
  create: operation('accounts.create', {
    post: '/accounts',
    scopes: ['admin'],
    audience: ['operator'],
    repeatable: false,
    asksFreshSignIn: true,
    tag: 'Access',
    summary: 'Create an account',
    description:
      'Creates an account, which owns requests and keys. An account of kind `provider` posts requests; one of kind `platform` may also have keys for verifiers and operators. In an account of mode `test`, reserved member ids reach an outcome on their own, and no live verifier sees a request.',
    changes: ['access'],
    input: CreateAccount,
    output: Account,
    example: { name: 'Main Street Dental', kind: 'provider', mode: 'live' },
    answers: { created: exampleAccount },
  }),

  list: operation('accounts.list', {
    get: '/accounts',
    scopes: ['admin', 'privacy'],
    audience: ['operator'],
    tag: 'Access',
    summary: 'List accounts, newest first',
    description:
      'Returns a page of all accounts. Pass `next_cursor` to get the next page; it is null on the last.',
    limit: 'reads',
    input: ListPage,
    output: AccountList,
    example: { limit: 20, cursor: EXAMPLE_IDS.account },
    answers: { page: { items: [exampleAccount], next_cursor: null } },
  }),

  limits: operation('accounts.limits', {
    get: '/accounts/{account_id}/limits',
    scopes: ['admin'],
    audience: ['operator'],
    tag: 'Access',
    summary: "Read an account's limits",
    description:
      'Returns what each policy allows the account, whether that is its own limit or the default, and the networks that its keys work from.',
    limit: 'reads',
    problems: ['not_found'],
    params: AccountRef,
    output: AccountLimits,
    answers: { raised_intake: exampleLimits },
  }),

  setLimits: operation('accounts.setLimits', {
    post: '/accounts/{account_id}/limits',
    scopes: ['admin'],
    audience: ['operator'],
    repeatable: true,
    asksFreshSignIn: true,
    tag: 'Access',
    summary: "Set an account's limits",
    description:
      'Sets quotas of an account and the networks that its keys work from. Members that you leave out keep their values; null restores the default. Networks that would lock out the key that makes the call are refused.',
    problems: ['not_found', 'locks_caller_out'],
    changes: ['access'],
    params: AccountRef,
    input: SetAccountLimits,
    output: AccountLimits,
    example: {
      policies: { intake: { quota: 120_000, window_seconds: 60 } },
      allowed_cidrs: ['203.0.113.0/24'],
    },
    answers: { set: exampleLimits },
  }),

  retention: operation('accounts.retention', {
    get: '/accounts/{account_id}/retention',
    scopes: ['admin', 'privacy'],
    audience: ['operator'],
    tag: 'Access',
    summary: "Read an account's retention",
    description:
      'Returns after how many days the data of a finished request is erased, who changed that, and how many requests the days in the query would erase, counted up to 10,000. Call it before you shorten the retention.',
    limit: 'reads',
    problems: ['not_found'],
    params: AccountRef,
    input: AskAccountRetention,
    output: AccountRetention,
    example: { days: 30 },
    answers: { shortened: exampleRetention },
  }),

  setRetention: operation('accounts.setRetention', {
    post: '/accounts/{account_id}/retention',
    scopes: ['admin', 'privacy'],
    audience: ['operator'],
    repeatable: true,
    asksFreshSignIn: true,
    tag: 'Access',
    summary: "Set an account's retention",
    description:
      'Sets after how many days the data of a finished request is erased, counted from the end of its delivery; null keeps it. A longer retention takes effect at once. A shorter one only becomes a request, in `asked`: a different person must confirm it within 7 days (`accounts.confirmRetention`), and setting any retention, the present one included, withdraws it. Ids, times, outcomes and the access log are kept.',
    problems: ['not_found'],
    changes: ['access'],
    params: AccountRef,
    input: SetAccountRetention,
    output: AccountRetention,
    example: { retention_days: 30 },
    answers: { asked: exampleAskedRetention },
  }),

  // A key may ask for a shorter retention; a person confirms it. Confirmed again it changes nothing.
  confirmRetention: operation('accounts.confirmRetention', {
    post: '/accounts/{account_id}/retention/confirm',
    scopes: ['admin', 'privacy'],
    audience: [],
    repeatable: true,
    asksFreshSignIn: true,
    forPeople: true,
    tag: 'Access',
    summary: 'Confirm a shorter retention',
    description:
      'Shortens an account’s retention to the days requested with `accounts.setRetention`; the body must name the same days. A different person must confirm it: not the one who requested it, nor one whom they added or signed in by a link. On an installation with a single active person, that person may confirm, and the audit records it. Nothing is erased for a day, during which you can undo it. Confirming it again returns the same answer.',
    problems: ['not_found', 'another_person_required'],
    changes: ['access'],
    params: AccountRef,
    input: ConfirmRetention,
    output: AccountRetention,
    example: { retention_days: 30 },
    answers: { shortened: exampleRetention },
  }),

  suspend: operation('accounts.suspend', {
    post: '/accounts/{account_id}/suspend',
    scopes: ['admin'],
    audience: ['operator'],
    repeatable: true,
    asksFreshSignIn: true,
    tag: 'Access',
    summary: 'Suspend an account',
    description:
      'Suspends an account: all its keys get 403 `account_suspended`. Requests that it made before are still verified and delivered. Leases of its keys and people go back, their call-backs are open to every verifier, and its endpoints rest until it is resumed. A key cannot suspend its own account.',
    problems: ['not_found', 'locks_caller_out'],
    changes: ['access', 'session', 'work'],
    params: AccountRef,
    output: Account,
    answers: { suspended: { ...exampleAccount, suspended_at: '2026-11-20T12:00:00.000Z' } },
  }),

  resume: operation('accounts.resume', {
    post: '/accounts/{account_id}/resume',
    scopes: ['admin'],
    audience: ['operator'],
    repeatable: true,
    asksFreshSignIn: true,
    tag: 'Access',
    summary: 'Resume a suspended account',
    description:
      'Lets the keys of a suspended account work again, and its endpoints get the events that happen from now on; `endpoints.recover` posts those that they missed. Changes nothing if the account is not suspended.',
    problems: ['not_found'],
    changes: ['access'],
    params: AccountRef,
    output: Account,
    answers: { resumed: exampleAccount },
  }),
});
