import { AccountLimits } from '../access/accounts/account-limits.ts';
import { AccountRef } from '../access/accounts/account-ref.ts';
import {
  AccountRetention,
  AskAccountRetention,
  ConfirmRetention,
  SetAccountRetention,
} from '../access/accounts/account-retention.ts';
import { Account, AccountList } from '../access/accounts/account.ts';
import { CreateAccount } from '../access/accounts/create-account.ts';
import { SetAccountLimits } from '../access/accounts/set-account-limits.ts';
import { ListPage } from '../page/list-page.ts';
import { exampleAccount, exampleAskedRetention, exampleLimits, exampleRetention } from './examples/access.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

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
      'Makes an account, to which requests and keys belong. An account of kind `provider` posts requests; one of kind `platform` may also have keys of verifiers and operators. In an account of mode `test`, reserved member ids come to their outcome by themselves, and no live verifier sees a request.',
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
      'Pages through all accounts. Ask for the next page with the `next_cursor` of the one before; null on the last page.',
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
      'Tells what each policy allows the account, whether that was set for it or is the default, and the networks that its keys work from.',
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
      'Sets quotas of an account, and the networks that its keys work from. What the body does not name stays as it is; null brings the default back. Networks that would lock the asking key out are refused.',
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
      'Tells after how many days the data of a finished request is erased, who changed that, and how many requests the days in the query would erase, counted up to 10,000: ask before you shorten it.',
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
      'Sets after how many days the data of a finished request is erased, counted from the end of its delivery; null keeps it. A longer retention begins at once. A shorter one is only asked for: `asked` has it, until another person confirms it within 7 days (`accounts.confirmRetention`) or somebody sets another retention, the present one included, which takes it back. Ids, times, outcomes and the access log stay.',
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
      "Makes an account's retention as short as was asked for (`accounts.setRetention`), for the days that the body names and no others. A person confirms, another one than who asked, whom that one neither added nor signed in by a link; where one person only is active on the installation that one may, and the audit says so. It erases nothing for a day, in which it can be taken back. Confirmed again it answers the same.",
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
      'Ends what the account may ask for: each of its keys is answered 403 `account_suspended`. What it had accepted before is still verified and delivered. A key cannot suspend its own account.',
    problems: ['not_found', 'locks_caller_out'],
    changes: ['access'],
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
      'Lets the keys of a suspended account work again. For an account that is not suspended nothing changes.',
    problems: ['not_found'],
    changes: ['access'],
    params: AccountRef,
    output: Account,
    answers: { resumed: exampleAccount },
  }),
});
